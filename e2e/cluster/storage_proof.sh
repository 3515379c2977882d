#!/usr/bin/env bash
# with_node.sh storage_proof.sh: proves, by the bytes, what stories expect of the test's own storage. A pod writes into a provisioned claim;
# a claim from a snapshot holds the bytes of that time, a clone the current ones; a killed driver loses nothing; deleted objects leave no
# folder, retained ones do; and each controller's rights suffice.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$root/e2e/cluster/storage.sh"
mover=$(import_image mover)
import_image pause >"$home/made"
pause=kopiur-pause:$(cut -d' ' -f1 <<<"$mover" | cut -d: -f2)

# pod NAME CLAIM IMAGE [COMMAND...]: runs as movers do, in a group that may write into the claim.
pod() {
  cat <<YAML
---
apiVersion: v1
kind: Pod
metadata: {name: $1, namespace: default}
spec:
  restartPolicy: Never
  securityContext: {runAsUser: 65532, runAsGroup: 65532, fsGroup: 65532}
  containers: [{name: pod, image: "$3", imagePullPolicy: Never, command: $(jq -nc '$ARGS.positional' --args -- "${@:4}"),
    env: [{name: HOME, value: /tmp}, {name: KOPIA_PASSWORD, value: a-story}], volumeMounts: [{name: data, mountPath: /data}, {name: tmp, mountPath: /tmp}]}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: $2}}, {name: tmp, emptyDir: {}}]
YAML
}
# kopia_pod NAME CLAIM VERB: the image has no shell; kopia creates a repository, or connects to it.
kopia_pod() { pod "$1" "$2" "${mover%% *}" /usr/bin/kopia repository "$3" filesystem --path=/data; }
snapshot_ready() { is volumesnapshot "$1" status.readyToUse true; }
holds() { diff -r --no-dereference "$2" "$(stored_at "$1")" >"$home/difference" || die "the claim $1 does not hold the bytes of $2: $(head -5 "$home/difference")"; }
apply() { k apply -f - >>"$home/made"; }

start_storage
stored_claim source folders | apply
await 10 "a claim is provisioned" is pvc source status.phase Bound
source=$(stored_at source)
[ "$(stat -c %u:%g:%a "$source")" = 0:0:755 ] || die "a new volume should be root's, mode 755, and is $(stat -c %u:%g:%a "$source")"
kopia_pod writer source create | apply
await 30 "a pod has written into it" is pod writer status.phase Succeeded
[ "$(stat -c %u:%g "$source/kopia.repository.f")" = 65532:65532 ] || die "the pod's file is not in the claim's folder: $(ls -la "$source")"
ln -s kopia.repository.f "$source/link"
head -c 20000000 /dev/urandom >"$source/data.bin"
cp -a "$source" "$home/then"

{ volume_snapshot then source; volume_snapshot kept source folders-kept; } | apply
await 20 "a snapshot is ready" snapshot_ready then
await 20 "a second one too, of the other class" snapshot_ready kept
rm "$source/link"
echo changed >"$source/data.bin"
cp -a "$source" "$home/now"

{ stored_claim back folders VolumeSnapshot then; stored_claim twin folders PersistentVolumeClaim source; stored_claim later folders-later VolumeSnapshot then; } | apply
await 20 "a claim of the snapshot is bound" is pvc back status.phase Bound
holds back "$home/then"
await 20 "a clone is bound" is pvc twin status.phase Bound
holds twin "$home/now"
is pvc later status.phase Pending || die "nobody uses the claim later, and it is $(field pvc later status.phase)"
{ kopia_pod reader back connect; pod user later "$pause" /usr/bin/pause; } | apply
await 30 "a pod finds in the snapshot's claim what the first one wrote" is pod reader status.phase Succeeded
await 30 "the claim that waited for a pod has one that runs" is pod user status.phase Running
holds later "$home/then"

driver=$(cat "$home/csi-folders.pid")
kill -KILL "$driver"
{ stored_claim again folders VolumeSnapshot then; volume_snapshot second twin; } | apply
await 40 "the driver was killed: a claim of the snapshot is bound all the same" is pvc again status.phase Bound
holds again "$home/then"
await 40 "and a new snapshot is ready" snapshot_ready second
[ "$(cat "$home/csi-folders.pid")" != "$driver" ] || die "the driver was not killed"

retained=$(stored_at later)
kept=$(kube get volumesnapshotcontent "$(field volumesnapshot kept status.boundVolumeSnapshotContentName)" -o jsonpath='{.status.snapshotHandle}')
k delete pods --all --grace-period=1 --timeout=60s >>"$home/made" || die "the pods do not go"
k delete volumesnapshots,pvc --all --timeout=60s >>"$home/made" || die "the snapshots and claims do not go"
only_retained() { [ "$(cd "$storage" && ls -d volumes/* snapshots/*)" = "snapshots/$kept"$'\n'"volumes/$(basename "$(dirname "$retained")")" ]; }
await 30 "they leave no folder but those that are to be retained" only_retained
diff -r --no-dereference "$home/then" "$retained" >"$home/difference" || die "what was retained is not what it was: $(head -5 "$home/difference")"
! grep -h forbidden "$home"/{csi-provisioner,csi-snapshotter,snapshot-controller}.log >"$home/difference" || die "a controller lacks a right: $(head -2 "$home/difference")"
echo "ok: and no controller lacked a right"
