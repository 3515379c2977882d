#!/usr/bin/env bash
# with_shared_node.sh populate.sh: claims that name a Restore as their data source become Bound with the snapshot's bytes, under both
# binding modes. Also: a gateway killed between filling and binding; a claim deleted midway; a claim without a snapshot, by
# examples/deploy-or-restore.yaml, and the same manifests once there is one. The story simulates a provisioner as strict as real ones, which
# also deletes released volumes.
namespace=populate
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
made=$(import_image mover) prefix=kopiur.home-operations.com
pause=$(import_image pause)

# storage_class NAME MODE POLICY [DEFAULT]
storage_class() {
  cat <<YAML
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: $1, annotations: {storageclass.kubernetes.io/is-default-class: "${4:-false}"}}
provisioner: story.test/folders
volumeBindingMode: $2
reclaimPolicy: $3
YAML
}
# provision UID CLAIM CLASS POLICY OWNER: a volume over a separate folder, for the claim with that uid; `broken` gets one that cannot be
# mounted.
provision() {
  local folder=$home/volumes/$5-$1
  [ "$5" = broken ] || { mkdir -p "$folder" && chown 65532:65532 "$folder"; }
  persistent_volume "$5-$1" "$folder" "$2" "$namespace" | sed "s|path: .*|path: $folder, type: Directory}|; s|namespace: $namespace|&, uid: $1|
    s|storage: 1Gi|storage: 5Gi|; s|^spec:|&\n  storageClassName: $3\n  persistentVolumeReclaimPolicy: $4|; s|^metadata: {|&annotations: {pv.kubernetes.io/provisioned-by: story.test/folders}, |" | kube create -f -
}
# Like a CSI provisioner: provisions claims for the volume controller, except those with a data source, which belong to a populator. It
# deletes released volumes if their policy says so.
provision_claims() {
  local uid name owner class
  k get pvc --watch -o json | jq --unbuffered -r 'select(.status.phase == "Pending" and .spec.dataSourceRef == null
      and .metadata.annotations["volume.kubernetes.io/storage-provisioner"] == "story.test/folders")
      | "\(.metadata.uid) \(.metadata.name) \(.metadata.ownerReferences[0].name // .metadata.name) \(.spec.storageClassName)"' | while read -r uid name owner class; do
    provision "$uid" "$name" "$class" "$(kube get storageclass "$class" -o jsonpath='{.reclaimPolicy}')" "$owner" || true  # it exists already
  done >>"$home/provisioner.log" 2>&1
}
delete_released() {
  kube get pv --watch -o json | jq --unbuffered -r --arg namespace "$namespace" 'select(.status.phase == "Released" and .spec.claimRef.namespace == $namespace
      and .spec.persistentVolumeReclaimPolicy == "Delete" and .metadata.deletionTimestamp == null).metadata.name' | while read -r name; do
    kube delete pv "$name" --wait=false || true
  done >>"$home/deleter.log" 2>&1
}
# claim_from RESTORE NAME CLASS: a claim; pod NAME CLAIM: a pod that only mounts it.
claim_from() {
  printf -- '---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: %s}\nspec: {accessModes: [ReadWriteOnce], storageClassName: %s, resources: {requests: {storage: 1Gi}}, dataSourceRef: {apiGroup: %s, kind: Restore, name: %s}}\n' "$2" "$3" "$prefix" "$1"
}
pod() {
  printf -- '---\napiVersion: v1\nkind: Pod\nmetadata: {name: %s}\nspec: {containers: [{name: pause, image: "%s", imagePullPolicy: Never, volumeMounts: [{name: data, mountPath: /data}]}], volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}]}\n' "$1" "${pause%% *}" "$2"
}
volume_of() { k get pvc "$1" -o jsonpath='{.spec.volumeName}'; }
folder_of() { kube get pv "$(volume_of "$1")" -o jsonpath='{.spec.hostPath.path}'; }
policy_of() { kube get pv "$(volume_of "$1")" -o jsonpath='{.spec.persistentVolumeReclaimPolicy}'; }
holds_bytes_of() { diff -r --no-dereference "$1" "$(folder_of "$2")" >"$home/difference" || die "$2 does not hold the bytes: $(head -5 "$home/difference")"; }
event() { [ "$(k get events -o json | jq --arg name "$1" --arg reason "$2" '[.items[] | select(.involvedObject.name == $name and .reason == $reason)] | length')" = 1 ]; }
# tidy CLAIM POLICY: nothing is left of its filling.
tidy() {
  [ "$(policy_of "$1")" = "$2" ] && [ -z "$(k get pvc -l "$prefix/prime-of=$(field pvc "$1" metadata.uid)" -o name)" ] &&
    ! k get pvc "$1" -o jsonpath='{.metadata.finalizers}' | grep -q kopiur && ! kube get pv "$(volume_of "$1")" -o jsonpath='{.metadata.annotations}' | grep -q kopiur
}
filled() { [ -n "$(k get pvc "$1" -o json | jq -r --arg by "$prefix/restored-by" '.metadata.annotations[$by] // empty')" ]; }

start_services "${made%% *}"
provision_claims &
pids+=($!)
delete_released &
pids+=($!)
source=$home/volumes/source
{ storage_class now Immediate Delete true; storage_class later WaitForFirstConsumer Retain; secret password a-story; claim store "$home/volumes/store"
  claim source "$source"; } | sed 's/^spec: {accessModes/spec: {storageClassName: "", accessModes/' | k apply -f - >>"$home/made"
head -c 3000000 /dev/urandom >"$source/data.bin"
mkdir -p "$source/a/b" && echo text >"$source/a/b/text" && ln -s ../a "$source/a/link" && chown -R 65532:65532 "$source"
# Volumes whose names begin with `held-` cannot be rebound: this stops the gateway at the point where it is to be killed.
k apply -f - >>"$home/made" <<'YAML'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: held}
spec:
  failurePolicy: Fail
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [persistentvolumes]}]}
  matchConditions: [{name: held, expression: "object.metadata.name.startsWith('held-')"}]
  validations: [{expression: "object.spec.claimRef.name == oldObject.spec.claimRef.name", message: the story holds it}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: held}
spec: {policyName: held, validationActions: [Deny]}
YAML
{ repository bucket /kopia password true store; recipe docs bucket; } | k apply -f - >>"$home/made"
await 90 "the repository is Ready" is repository bucket status.phase Ready
backup_of docs by-hand | k apply -f - >>"$home/made"
sed "s/namespace: default/namespace: $namespace/" "$root/examples/deploy-or-restore.yaml" >"$home/deploy-or-restore.yaml"
k apply -f "$home/deploy-or-restore.yaml" >>"$home/made"  # its claim has no snapshot yet
await 90 "a Backup Succeeded" is backup by-hand status.phase Succeeded

began=${EPOCHREALTIME/./}
{ printf 'apiVersion: %s/v1alpha1\nkind: Restore\nmetadata: {name: back}\nspec: {source: {backupRef: {name: by-hand}}}\n' "$prefix"
  claim_from back first now; claim_from back second later; claim_from back held now; claim_from back broken now; pod first first; } | k apply -f - >>"$home/made"
await 60 "a claim is Bound" is pvc first status.phase Bound
echo "ok: $(((${EPOCHREALTIME/./} - began) / 1000)) ms from its creation"
holds_bytes_of "$source" first
await 30 "nothing is left of its filling" tidy first Delete
await 30 "it is told in an Event" event first Restored
await 30 "a pod runs that uses it" is pod first status.phase Running
await 30 "the claim without a snapshot is Bound" is pvc notes status.phase Bound
await 30 "nothing is left of that either" tidy notes Delete
await 30 "its Restore says so" is restore notes status.phase Completed
says_filled() { k get restore notes -o json | jq -e '.status.conditions[] | select(.type == "Ready" and .reason == "ClaimsFilled")'; }
await 30 "and no longer that there is none to fill" says_filled
[ -z "$(ls -A "$(folder_of notes)")" ] || die "it should be empty: $(ls -A "$(folder_of notes)")"

is pvc second status.phase Pending || die "nobody uses the claim second, and it is $(field pvc second status.phase)"
[ -z "$(k get pvc -l "$prefix/prime-of=$(field pvc second metadata.uid)" -o name)" ] || die "nobody uses the claim second, and it is being filled"
pod second second | k apply -f - >>"$home/made"
await 60 "a pod runs that uses the claim that waited for it" is pod second status.phase Running
holds_bytes_of "$source" second
await 30 "nothing is left of its filling" tidy second Retain

await 30 "the claim held is filled" filled held
is pvc held status.phase Pending || die "held is $(field pvc held status.phase)"
prime_of_held() { [ "$(k get restore back -o json | jq -r '.status.claims[] | select(.name == "held").pvcPrime')" = "prime-$(field pvc held metadata.uid)" ]; }
await 30 "the Restore names the claim that was filled for it" prime_of_held
refused() { grep -q 'the story holds it' "$home/gateway-1.log"; }
await 30 "its volume cannot be handed over yet" refused
{ kill -KILL "$(cat "$home/gateway-1.pid")" && wait "$(cat "$home/gateway-1.pid")" || true; } 2>/dev/null
kube delete validatingadmissionpolicybinding held >>"$home/made"
start gateway 2
await 60 "it is Bound, although the gateway was killed in between" is pvc held status.phase Bound
holds_bytes_of "$source" held
await 30 "nothing is left of its filling" tidy held Delete

prime=prime-$(field pvc broken metadata.uid)
await 30 "the prime claim of broken is Bound" is pvc "$prime" status.phase Bound
volume=$(volume_of "$prime")
k delete pvc broken --wait=false >>"$home/made"
await 60 "a claim that was deleted midway is gone" gone pvc broken
await 30 "its prime claim with it" gone pvc "$prime"
no_volume() { ! kube get pv "$volume"; }
await 30 "and its volume, as its own policy says" no_volume

# The day after a loss.
cp -a "$source/." "$(folder_of notes)/"
backup_of notes before-the-loss | k apply -f - >>"$home/made"
await 60 "the claim that began empty is backed up" is backup before-the-loss status.phase Succeeded
k delete pods --field-selector=status.phase=Succeeded >>"$home/made"  # for Kubernetes, movers that have ended still use the claim
k delete -f "$home/deploy-or-restore.yaml" >>"$home/made"
k apply -f "$home/deploy-or-restore.yaml" >>"$home/made"
await 60 "the same manifests again: the claim is Bound" is pvc notes status.phase Bound
holds_bytes_of "$source" notes
await 30 "nothing is left of its filling" tidy notes Delete
echo "ok: it holds what was backed up"
