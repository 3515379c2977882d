// A storage driver for a test's cluster, since none can be had that runs without a cloud or a kernel's device mapper: volumes are folders, snapshots and
// clones are copies of them, a pod gets its volume by a bind mount. What calls it is real: csi-provisioner, csi-snapshotter, and the kubelet.
// One process does all of it, on one socket among those that the kubelet looks at for drivers, and so registers itself. What it knows lies beside the
// folders: when it is killed and started again, nothing is lost.
package main

import (
	"context"
	"errors"
	"flag"
	"io/fs"
	"log"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

type driver struct {
	csi.UnimplementedIdentityServer
	csi.UnimplementedControllerServer
	csi.UnimplementedGroupControllerServer
	csi.UnimplementedNodeServer
	registration.UnimplementedRegistrationServer
	name, node, socket string
	volumes, snapshots shelf
	locks              sync.Map // of each id, never removed: a test has some hundreds
}

func main() {
	d := &driver{}
	flag.StringVar(&d.name, "name", "", "of the driver, as in its CSIDriver")
	flag.StringVar(&d.node, "node", "", "the name of this node")
	flag.StringVar(&d.socket, "socket", "", "a path in the kubelet's plugins_registry")
	root := flag.String("root", "", "the folder for the volumes and snapshots")
	flag.Parse()
	if d.name == "" || d.node == "" || d.socket == "" || *root == "" {
		log.Fatal("every flag is needed: --name, --node, --socket, --root")
	}
	d.volumes = shelf{*root, "volumes"}
	d.snapshots = d.volumes.beside("snapshots")

	syscall.Umask(0o022) // the modes of what we make are those that we say, wherever we are started
	for _, each := range []shelf{d.volumes, d.snapshots} {
		if err := each.open(); err != nil {
			log.Fatalf("the folder of the %s cannot be used: %v", each.name, err)
		}
	}
	if err := os.Remove(d.socket); err != nil && !errors.Is(err, fs.ErrNotExist) { // of one that was killed
		log.Fatal(err)
	}
	listener, err := net.Listen("unix", d.socket)
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer(grpc.UnaryInterceptor(d.inOrder))
	csi.RegisterIdentityServer(server, d)
	csi.RegisterControllerServer(server, d)
	csi.RegisterGroupControllerServer(server, d)
	csi.RegisterNodeServer(server, d)
	registration.RegisterRegistrationServer(server, d)
	log.Fatal(server.Serve(listener))
}

// inOrder lets calls about the same volume or snapshot wait for each other: a caller whose patience has ended asks again while we still copy, and is to
// find what the first call made.
func (d *driver) inOrder(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	id, about := subject(request)
	if about {
		if id == "" || strings.HasPrefix(id, ".") || strings.Contains(id, "/") { // it would lead to what is not one of our folders
			return nil, status.Errorf(codes.InvalidArgument, "%q is no name of a volume or snapshot", id)
		}
		lock, _ := d.locks.LoadOrStore(id, &sync.Mutex{})
		lock.(*sync.Mutex).Lock()
		defer lock.(*sync.Mutex).Unlock()
	}
	answer, err := handle(ctx, request)
	if about || err != nil {
		log.Printf("%s %s: %v", filepath.Base(info.FullMethod), id, status.Convert(err).Message())
	}
	return answer, err
}

// subject is the volume or snapshot that a call makes, changes or removes: ids are the names that our callers make up, which are unique.
func subject(request any) (string, bool) {
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		return r.Name, true
	case *csi.CreateSnapshotRequest:
		return r.Name, true
	case *csi.DeleteSnapshotRequest:
		return r.SnapshotId, true
	case *csi.CreateVolumeGroupSnapshotRequest:
		return r.Name, true
	case interface{ GetGroupSnapshotId() string }:
		return r.GetGroupSnapshotId(), true
	case interface{ GetVolumeId() string }:
		return r.GetVolumeId(), true
	}
	return "", false
}

// What the kubelet asks when it finds the socket.

func (d *driver) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return &registration.PluginInfo{Type: registration.CSIPlugin, Name: d.name, Endpoint: d.socket, SupportedVersions: []string{"1.0.0"}}, nil
}

func (d *driver) NotifyRegistrationStatus(_ context.Context, r *registration.RegistrationStatus) (*registration.RegistrationStatusResponse, error) {
	log.Printf("registered: %v %s", r.PluginRegistered, r.Error)
	return &registration.RegistrationStatusResponse{}, nil
}

// What everybody asks.

func (d *driver) GetPluginInfo(context.Context, *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
	return &csi.GetPluginInfoResponse{Name: d.name, VendorVersion: "1"}, nil
}

func (d *driver) GetPluginCapabilities(context.Context, *csi.GetPluginCapabilitiesRequest) (*csi.GetPluginCapabilitiesResponse, error) {
	answer := &csi.GetPluginCapabilitiesResponse{}
	for _, each := range []csi.PluginCapability_Service_Type{
		csi.PluginCapability_Service_CONTROLLER_SERVICE, csi.PluginCapability_Service_GROUP_CONTROLLER_SERVICE,
	} {
		service := &csi.PluginCapability_Service{Type: each}
		answer.Capabilities = append(answer.Capabilities, &csi.PluginCapability{Type: &csi.PluginCapability_Service_{Service: service}})
	}
	return answer, nil
}

func (d *driver) Probe(context.Context, *csi.ProbeRequest) (*csi.ProbeResponse, error) {
	return &csi.ProbeResponse{Ready: wrapperspb.Bool(true)}, nil
}
