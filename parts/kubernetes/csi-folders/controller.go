package main

import (
	"context"
	"path/filepath"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"
)

func (d *driver) ControllerGetCapabilities(context.Context, *csi.ControllerGetCapabilitiesRequest) (*csi.ControllerGetCapabilitiesResponse, error) {
	answer := &csi.ControllerGetCapabilitiesResponse{}
	for _, each := range []csi.ControllerServiceCapability_RPC_Type{
		csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME, csi.ControllerServiceCapability_RPC_CLONE_VOLUME,
		csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT, csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS,
	} {
		rpc := &csi.ControllerServiceCapability_RPC{Type: each}
		answer.Capabilities = append(answer.Capabilities, &csi.ControllerServiceCapability{Type: &csi.ControllerServiceCapability_Rpc{Rpc: rpc}})
	}
	return answer, nil
}

// usable says why not, where a folder cannot be what is asked for.
func usable(capabilities []*csi.VolumeCapability) error {
	for _, each := range capabilities {
		if each.GetBlock() != nil {
			return status.Error(codes.InvalidArgument, "a folder is no block device: volumeMode must be Filesystem")
		}
	}
	return nil
}

// ensure adds to the shelf what is wanted, or finds what an earlier call has added.
func ensure(s shelf, id string, wanted record) (record, error) {
	have, err := s.find(id)
	if status.Code(err) == codes.NotFound {
		if wanted.Source != "" {
			source, err := s.beside(filepath.Dir(wanted.Source)).find(filepath.Base(wanted.Source))
			if err != nil {
				return wanted, err
			}
			if wanted.Size == 0 {
				wanted.Size = source.Size
			}
			if wanted.Size < source.Size {
				return wanted, status.Errorf(codes.OutOfRange, "%s is to hold what %s holds, and to be smaller", id, wanted.Source)
			}
		}
		wanted.Made = time.Now()
		return wanted, s.add(id, wanted)
	}
	if err == nil && (have.Source != wanted.Source || have.Group != wanted.Group || wanted.Size != 0 && have.Size != wanted.Size) {
		err = status.Errorf(codes.AlreadyExists, "there is another %s among the %s", id, s.name)
	}
	return have, err
}

func (d *driver) CreateVolume(_ context.Context, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	if err := usable(r.VolumeCapabilities); err != nil {
		return nil, err
	}
	wanted := record{Size: r.GetCapacityRange().GetRequiredBytes()}
	if snapshot := r.GetVolumeContentSource().GetSnapshot(); snapshot != nil {
		wanted.Source = d.snapshots.source(snapshot.SnapshotId)
	} else if volume := r.GetVolumeContentSource().GetVolume(); volume != nil {
		wanted.Source = d.volumes.source(volume.VolumeId)
	}
	made, err := ensure(d.volumes, r.Name, wanted)
	if err != nil {
		return nil, err
	}
	return &csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: r.Name, CapacityBytes: made.Size, ContentSource: r.VolumeContentSource}}, nil
}

func (d *driver) DeleteVolume(_ context.Context, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	return &csi.DeleteVolumeResponse{}, d.volumes.remove(r.VolumeId)
}

func (d *driver) CreateSnapshot(_ context.Context, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
	made, err := ensure(d.snapshots, r.Name, record{Source: d.volumes.source(r.SourceVolumeId)})
	if err != nil {
		return nil, err
	}
	return &csi.CreateSnapshotResponse{Snapshot: snapshot(r.Name, made)}, nil
}

func (d *driver) DeleteSnapshot(_ context.Context, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
	return &csi.DeleteSnapshotResponse{}, d.snapshots.remove(r.SnapshotId)
}

// ListSnapshots answers with all at once: nobody who calls us asks for pages.
func (d *driver) ListSnapshots(_ context.Context, r *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
	answer := &csi.ListSnapshotsResponse{}
	err := d.snapshots.each(func(id string, one record) {
		if (r.SnapshotId == "" || r.SnapshotId == id) && (r.SourceVolumeId == "" || one.Source == d.volumes.source(r.SourceVolumeId)) {
			answer.Entries = append(answer.Entries, &csi.ListSnapshotsResponse_Entry{Snapshot: snapshot(id, one)})
		}
	})
	return answer, err
}

func snapshot(id string, r record) *csi.Snapshot {
	return &csi.Snapshot{SnapshotId: id, SourceVolumeId: filepath.Base(r.Source), GroupSnapshotId: r.Group, SizeBytes: r.Size,
		CreationTime: timestamppb.New(r.Made), ReadyToUse: true}
}
