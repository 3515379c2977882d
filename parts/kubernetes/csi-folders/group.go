package main

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Snapshots of several volumes together. They are copied one after the other: what a story compares must lie still meanwhile.

func (d *driver) GroupControllerGetCapabilities(context.Context, *csi.GroupControllerGetCapabilitiesRequest) (*csi.GroupControllerGetCapabilitiesResponse, error) {
	rpc := &csi.GroupControllerServiceCapability_RPC{Type: csi.GroupControllerServiceCapability_RPC_CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT}
	one := &csi.GroupControllerServiceCapability{Type: &csi.GroupControllerServiceCapability_Rpc{Rpc: rpc}}
	return &csi.GroupControllerGetCapabilitiesResponse{Capabilities: []*csi.GroupControllerServiceCapability{one}}, nil
}

func (d *driver) CreateVolumeGroupSnapshot(_ context.Context, r *csi.CreateVolumeGroupSnapshotRequest) (*csi.CreateVolumeGroupSnapshotResponse, error) {
	for _, volume := range r.SourceVolumeIds {
		if _, err := ensure(d.snapshots, r.Name+"-"+volume, record{Source: d.volumes.source(volume), Group: r.Name}); err != nil {
			return nil, err
		}
	}
	made, err := d.group(r.Name)
	return &csi.CreateVolumeGroupSnapshotResponse{GroupSnapshot: made}, err
}

func (d *driver) GetVolumeGroupSnapshot(_ context.Context, r *csi.GetVolumeGroupSnapshotRequest) (*csi.GetVolumeGroupSnapshotResponse, error) {
	there, err := d.group(r.GroupSnapshotId)
	return &csi.GetVolumeGroupSnapshotResponse{GroupSnapshot: there}, err
}

func (d *driver) DeleteVolumeGroupSnapshot(_ context.Context, r *csi.DeleteVolumeGroupSnapshotRequest) (*csi.DeleteVolumeGroupSnapshotResponse, error) {
	there, err := d.group(r.GroupSnapshotId)
	if err != nil && status.Code(err) != codes.NotFound {
		return nil, err
	}
	for _, each := range there.GetSnapshots() {
		if err := d.snapshots.remove(each.SnapshotId); err != nil {
			return nil, err
		}
	}
	return &csi.DeleteVolumeGroupSnapshotResponse{}, nil
}

// group is what its snapshots say of it.
func (d *driver) group(id string) (*csi.VolumeGroupSnapshot, error) {
	group := &csi.VolumeGroupSnapshot{GroupSnapshotId: id, ReadyToUse: true}
	err := d.snapshots.each(func(member string, one record) {
		if one.Group == id {
			group.Snapshots = append(group.Snapshots, snapshot(member, one))
			group.CreationTime = group.Snapshots[0].CreationTime
		}
	})
	if err != nil {
		return nil, err
	}
	if len(group.Snapshots) == 0 {
		return nil, status.Errorf(codes.NotFound, "there is no group %s", id)
	}
	return group, nil
}
