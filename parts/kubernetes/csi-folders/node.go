package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

func (d *driver) NodeGetInfo(context.Context, *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
	return &csi.NodeGetInfoResponse{NodeId: d.node}, nil
}

// NodeGetCapabilities: none. There is no device to prepare before the mount, and what belongs to a pod's group is the kubelet's work.
func (d *driver) NodeGetCapabilities(context.Context, *csi.NodeGetCapabilitiesRequest) (*csi.NodeGetCapabilitiesResponse, error) {
	return &csi.NodeGetCapabilitiesResponse{}, nil
}

func (d *driver) NodePublishVolume(_ context.Context, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
	if _, err := d.volumes.find(r.VolumeId); err != nil {
		return nil, err
	}
	if err := errors.Join(usable([]*csi.VolumeCapability{r.VolumeCapability}), os.MkdirAll(r.TargetPath, 0o750)); err != nil {
		return nil, err
	}
	data := d.volumes.data(r.VolumeId)
	if !same(data, r.TargetPath) { // the kubelet asks again when it has lost our answer
		if err := syscall.Mount(data, r.TargetPath, "", syscall.MS_BIND, ""); err != nil {
			return nil, &os.PathError{Op: "mount", Path: r.TargetPath, Err: err}
		}
	}
	if r.Readonly { // which the kernel takes only of a mount that is there
		if err := syscall.Mount("", r.TargetPath, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
			return nil, &os.PathError{Op: "mount read-only", Path: r.TargetPath, Err: err}
		}
	}
	return &csi.NodePublishVolumeResponse{}, nil
}

// same: whether both paths are one folder, as they are once it is mounted there.
func same(one, other string) bool {
	a, err := os.Stat(one)
	b, otherErr := os.Stat(other)
	return err == nil && otherErr == nil && os.SameFile(a, b)
}

// NodeUnpublishVolume removes only an empty folder: whatever went wrong, never a volume's content.
func (d *driver) NodeUnpublishVolume(_ context.Context, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
	if err := syscall.Unmount(r.TargetPath, 0); err != nil && err != syscall.EINVAL && err != syscall.ENOENT { // not mounted, or not there
		return nil, &os.PathError{Op: "unmount", Path: r.TargetPath, Err: err}
	}
	if err := os.Remove(r.TargetPath); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &csi.NodeUnpublishVolumeResponse{}, nil
}
