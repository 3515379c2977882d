#!/usr/bin/env bash
# with_node.sh copies.sh: a claim that a pod uses is backed up by Snapshot and by Clone. The copy is of one moment although the pod writes
# on, with kopia's cache on a volume of a class. Two claims are captured together. Nothing of a copy is left, whatever the retention of its
# class. A restore into that claim waits until the pod is gone. A restore into a new claim works on storage that root owns.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/storage.sh"
made=$(import_image mover)
pause=$(import_image pause)
start_storage
start_services "${made%% *}"

pod() { printf -- '---\napiVersion: v1\nkind: Pod\nmetadata: {name: %s}\nspec: {terminationGracePeriodSeconds: 1, containers: [{name: pause, image: "%s", imagePullPolicy: Never, volumeMounts: [{name: data, mountPath: /data}]}], volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}]}\n' "$1" "${pause%% *}" "$2"; }
# cached CLASS: adds a cache to a BackupConfig.
cached() { sed "s/^  repository:/  mover: {cache: {storageClassName: $1, capacity: 1Gi}}\n&/"; }
# copying METHOD [CLASS]: adds a copyMethod to a BackupConfig.
copying() { sed "s/^  repository:/  copyMethod: $1\n${2:+  volumeSnapshotClassName: $2\n}&/"; }
restore() { printf -- '---\napiVersion: kopiur.home-operations.com/v1alpha1\nkind: Restore\nmetadata: {name: %s}\nspec: {source: {backupRef: {name: %s}}, target: %s}\n' "$1" "$2" "$3"; }
says() { k get "$1" "$2" -o jsonpath='{.status.conditions[?(@.type=="Ready")].message}'; }

{ secret password a-story; stored_claim store folders-later; stored_claim source folders-later; pod web source; } | k apply -f - >>"$home/made"
await 60 "a pod uses the source" is pod web status.phase Running
source=$(stored_at source)
echo one >"$source/said" && head -c 2000000 /dev/urandom >"$source/data.bin" && chown -R 65532:65532 "$source"
cp -a "$source" "$home/then"
{ repository main /kopia password true store; recipe docs | copying Snapshot folders-kept | cached folders; } | k apply -f - >>"$home/made"
await 90 "a repository on storage that is root's is Ready" is repository main status.phase Ready
recipe clones | copying Clone | k apply -f - >>"$home/made"

( while sleep 0.1; do date +%N >"$source/said"; done ) 2>/dev/null &
pids+=($!)
k get pvc -l kopiur.home-operations.com/mover-volume=cache --watch -o name >"$home/caches" &
pids+=($!)
backup_of docs by-snapshot | k apply -f - >>"$home/made"
await 90 "a Backup by Snapshot Succeeded" is backup by-snapshot status.phase Succeeded
[ "$(field backup by-snapshot status.resolved.copyMethod)" = Snapshot ] || die "it says $(field backup by-snapshot status.resolved.copyMethod)"
grep -q 'cache$' "$home/caches" || die "its cache was on no volume"
backup_of clones by-clone | k apply -f - >>"$home/made"
await 90 "a Backup by Clone Succeeded" is backup by-clone status.phase Succeeded
# nothing_left: no copy, no snapshot, and no volume except those of existing claims.
nothing_left() {
  [ -z "$(kube get volumesnapshots,volumesnapshotcontents -A -o name)" ] && [ "$(kube get pvc -A -o name | wc -l)" = "$1" ] && [ "$(kube get pv -o name | wc -l)" = "$1" ]
}
await 90 "nothing of the copies is left, though their classes would keep it" nothing_left 2

# together: one VolumeGroupSnapshot for the Backups of both claims, verified in the driver's log.
{ stored_claim logs folders; recipe pair | copying Snapshot | sed 's/^  sources: .*/  groupBy: VolumeGroupSnapshot\n  sources: [{pvc: {name: source}}, {pvc: {name: logs}}]/'; } | k apply -f - >>"$home/made"
await 30 "a second claim is bound" is pvc logs status.phase Bound
logs=$(stored_at logs)
head -c 300000 /dev/urandom >"$logs/log.bin" && chown -R 65532:65532 "$logs"
backup_of pair together | k apply -f - >>"$home/made"
await 90 "a Backup of two claims at one instant Succeeded" is backup together status.phase Succeeded
saved=$(k get backups -l kopiur.home-operations.com/group=together -o json | jq -r '[.items[] | select(.status.snapshot.kopiaSnapshotID != null) | .status.resolved | "\(.pvcName) \(.groupBy)"] | sort | join(", ")')
[ "$saved" = "logs VolumeGroupSnapshot, source VolumeGroupSnapshot" ] || die "it has saved: $saved"
captured=$(grep -oE 'CreateVolumeGroupSnapshot [^:]+' "$home/csi-folders.log" | sort -u | wc -l)
[ "$captured" = 1 ] || die "the driver has taken $captured captures"
supported() { [ "$(field backupconfig pair 'status.conditions[?(@.type=="GroupSnapshotSupported")].status')" = True ]; }
await 10 "its recipe says that this works" supported
no_capture() { [ -z "$(kube get volumegroupsnapshots,volumegroupsnapshotcontents -A -o name)" ] && ! grep capture- <(k get pvc --show-labels); }
await 60 "nothing of the capture is left" no_capture
await 60 "nor of its copies" nothing_left 3
[ -z "$(ls -A "$storage/snapshots")" ] || die "the storage still holds $(ls "$storage/snapshots")"
restore logs-back "$(k get backups -l kopiur.home-operations.com/group=together -o json | jq -r '.items[] | select(.status.resolved.pvcName == "logs") | .metadata.name')" \
  '{pvc: {name: logs-back, storageClassName: folders-later, capacity: 1Gi}}' | k apply -f - >>"$home/made"
await 90 "the second claim's part is restored" is restore logs-back status.phase Completed
cmp "$logs/log.bin" "$(stored_at logs-back)/log.bin" || die "the bytes are others"

restore back by-snapshot '{pvc: {name: back, storageClassName: folders-later, capacity: 1Gi}}' | k apply -f - >>"$home/made"
await 90 "a Restore into a claim of its own is Completed" is restore back status.phase Completed
cmp "$home/then/data.bin" "$(stored_at back)/data.bin" || die "the bytes are others"
echo "ok: the same bytes, by a mover that is not root, on a volume that is root's"

restore over by-clone '{pvcRef: {name: source}}' | k apply -f - >>"$home/made"
waits() { [[ "$(says restore over)" == *"pod web uses the claim source (TargetInUse)"* ]]; }
await 60 "a Restore into a claim that a pod uses waits, and says for whom" waits
rm "$source/data.bin"
k delete pod web >>"$home/made"
await 90 "and is Completed once that pod is gone" is restore over status.phase Completed
cmp "$home/then/data.bin" "$source/data.bin" || die "the bytes are others"

recipe nowhere | copying Snapshot absent | k apply -f - >>"$home/made"
backup_of nowhere no-class | k apply -f - >>"$home/made"
says_why() { [[ "$(says backup no-class)" == *absent* ]]; }
await 60 "a Backup whose snapshots' class does not exist says so" says_why
k annotate backup no-class kopiur.home-operations.com/cancel-run=enough >>"$home/made"
await 60 "it can be cancelled" is backup no-class status.phase Failed
await 90 "nothing of it is left" nothing_left 5
