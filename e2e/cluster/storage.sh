# Storage for a running node: the real controllers provision claims, take snapshots, and create claims from snapshots and other claims, on a
# driver whose volumes are folders (parts/csi-folders). Source it after services.sh, then call start_storage. Classes, in storage.yaml:
# `folders` (bound at once, deleted with its claim), `folders-later` (bound when a pod uses it, retained); for snapshots `folders` (the
# default, deleted) and `folders-kept`, the default for group snapshots.
storage=$home/folders  # volumes/ID/data, snapshots/ID/data

# storage_part NAME PROGRAM ARGS...: keeps it running, its pid in $home/NAME.pid: the controllers exit when the driver does, and expect a
# restart.
storage_part() {
  keep_running "$home/$1.pid" "$home/$1.log" "${@:2}" 2>>"$home/ends" &
  pids+=($!)
}
# storage_controller NAME PROGRAM ARGS...: a controller that uses the API as NAME, with the rights of the ClusterRole NAME. It retries soon:
# a claim may exist before its snapshot is ready, and the default retry delay is up to five minutes.
storage_controller() {
  (cd "$home" && certificate "$1" "/CN=$1")
  kubeconfig "$1"
  kube create clusterrolebinding "$1" --clusterrole="$1" --user="$1" >>"$home/made"
  storage_part "$1" "$2" --kubeconfig="$home/$1.kubeconfig" --kube-api-qps=50 --kube-api-burst=100 --retry-interval-max=5s "${@:3}"
}
# start_storage: returns after a claim was bound, and its volume deleted with it.
start_storage() {
  local from=${EPOCHREALTIME/./} socket=$home/kubelet/plugins_registry/folders.sock
  need CSI_FOLDERS CSI_PROVISIONER CSI_SNAPSHOTTER SNAPSHOT_CONTROLLER
  [ -d "${KOPIUR_SNAPSHOT_CRDS:-}" ] || die "there is no folder of CRDs at KOPIUR_SNAPSHOT_CRDS (${KOPIUR_SNAPSHOT_CRDS:-it is not set}); ./dev setup gets it"
  kube apply --server-side -k "$KOPIUR_SNAPSHOT_CRDS" >>"$home/made"
  await 30 "the kinds of snapshots are established" kube wait --for=condition=Established --timeout=0 crd --all
  kube apply -f "$root/e2e/cluster/storage.yaml" >>"$home/made"
  storage_part csi-folders "$KOPIUR_CSI_FOLDERS" --name=folders.story.test --node=node1 --root="$storage" --socket="$socket"
  local groups=--feature-gates=CSIVolumeGroupSnapshot=true
  storage_controller snapshot-controller "$KOPIUR_SNAPSHOT_CONTROLLER" $groups
  storage_controller csi-provisioner "$KOPIUR_CSI_PROVISIONER" --csi-address="$socket" --timeout=120s --extra-create-metadata
  storage_controller csi-snapshotter "$KOPIUR_CSI_SNAPSHOTTER" --csi-address="$socket" --timeout=120s --extra-create-metadata $groups
  await 30 "the node has the driver" driver_registered
  stored_claim storage-probe folders | kube apply -f - >>"$home/made"
  await 30 "a claim is bound by the storage" probe_bound
  kube delete --namespace=default pvc storage-probe --wait=false >>"$home/made"
  await 30 "its volume goes with it" no_volumes
  echo "ok: storage after $(((${EPOCHREALTIME/./} - from) / 1000)) ms"
}
driver_registered() { kube get csinode node1 -o jsonpath='{.spec.drivers[*].name}' | grep -qw folders.story.test; }
probe_bound() { [ "$(kube get --namespace=default pvc storage-probe -o jsonpath='{.status.phase}')" = Bound ]; }
no_volumes() { [ -z "$(ls -A "$storage/volumes")" ]; }

# stored_claim NAME CLASS [KIND SOURCE]: a claim; from a VolumeSnapshot, or a clone of a PersistentVolumeClaim.
stored_claim() {
  local group=''
  [ "${3:-}" != VolumeSnapshot ] || group='apiGroup: snapshot.storage.k8s.io, '
  printf -- '---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: %s, namespace: default}\nspec: {accessModes: [ReadWriteOnce], storageClassName: %s, resources: {requests: {storage: 1Gi}}%s}\n' \
    "$1" "$2" "${3:+, dataSource: {${group}kind: $3, name: $4\}}"
}
# volume_snapshot NAME CLAIM [CLASS]
volume_snapshot() {
  printf -- '---\napiVersion: snapshot.storage.k8s.io/v1\nkind: VolumeSnapshot\nmetadata: {name: %s, namespace: default}\nspec: {%ssource: {persistentVolumeClaimName: %s}}\n' \
    "$1" "${3:+volumeSnapshotClassName: $3, }" "$2"
}
# stored_at CLAIM: the folder of its volume; csi-provisioner's volume names are the driver's ids.
stored_at() { echo "$storage/volumes/$(kube get --namespace=default pvc "$1" -o jsonpath='{.spec.volumeName}')/data"; }
