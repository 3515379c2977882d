#!/usr/bin/env bash
# with_node.sh foreign.sh: a kind of others, VolumeSnapshotClass, is absent when kopiur starts, is installed and removed while it runs.
# Everything that does not need it works throughout, a Backup that needs it says what is missing and continues once it is there, and nothing
# is deleted or cleaned up because the kind is gone.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/storage.sh"
made=$(import_image mover)
kind=kopiur.v1.resource.local.VolumeSnapshotClass
# mirrored SUBJECT: the body of the last message of the mirror; nothing for a tombstone.
mirrored() { python3 "$root/e2e/stories/upgrade/bus.py" last "$url" "$1"; }
presence() { [ "$(mirrored "$kind.-.-" | jq -r .presence)" = "$1" ]; }
reason() { [ "$(k get backup "$1" -o jsonpath='{.status.conditions[?(@.type=="Ready")].reason}')" = "$2" ]; }
definitions() { kube "$@" -k "$KOPIUR_SNAPSHOT_CRDS" >>"$home/made" 2>&1; }
no_snapshots() { [ -z "$(kube get volumesnapshots,volumesnapshotcontents -A -o name)" ]; }
# snapshotted NAME: a Backup by Snapshot of the class folders-kept.
snapshotted() { backup_of copied "$1" | k apply -f - >>"$home/made"; }
plain() { backup "$1" && await 90 "a plain Backup Succeeded ($2)" is backup "$1" status.phase Succeeded; }
kept() { k get backups -o json | jq -r '.items[] | select(.status.phase == "Succeeded") | "\(.metadata.name) \(.metadata.uid) \(.status.snapshot.kopiaSnapshotID)"' | sort; }

# Storage first, for a claim that can be snapshotted. Its kinds are removed again before kopiur is there.
start_storage
{ secret password a-story; claim store "$home/volumes/store"; claim documents "$home/volumes/documents"; stored_claim source folders; } | k apply -f - >>"$home/made"
await 30 "the source is bound" is pvc source status.phase Bound
source=$(stored_at source)
for each in "$source" "$home/volumes/documents"; do head -c 300000 /dev/urandom >"$each/data.bin" && chown -R 65532:65532 "$each"; done
definitions delete

start_services "${made%% *}"
for each in "${services[@]}"; do await 30 "$each is ready without the kind" ready "$each"; done
{ repository main /kopia password true store; recipe docs main documents; recipe copied | sed 's/^  repository:/  copyMethod: Snapshot\n  volumeSnapshotClassName: folders-kept\n&/'; } | k apply -f - >>"$home/made"
await 90 "a repository is Ready" is repository main status.phase Ready
await 10 "the gateway says that the kind is not installed" presence NotInstalled
plain before "without the kind"
snapshotted waits
await 30 "a Backup by Snapshot waits for the API of snapshots" reason waits SnapshotsNotInstalled
says=$(k get backup waits -o jsonpath='{.status.conditions[?(@.type=="Ready")].message}')
[[ "$says" == *"snapshot.storage.k8s.io/v1"*"install"*"copyMethod Clone or Direct in BackupConfig copied"* ]] || die "it says: $says"

definitions apply --server-side
from=$SECONDS
await 40 "the kind is found while kopiur runs, and the Backup waits for its class" reason waits SnapshotClassMissing
[ $((SECONDS - from)) -le 60 ] || die "that took $((SECONDS - from)) s"
presence Listed || die "the mirror does not say that the kind is listed"
kube apply -f "$root/e2e/cluster/storage.yaml" >>"$home/made"
await 120 "with its class it Succeeded" is backup waits status.phase Succeeded
[ "$(field backup waits status.resolved.volumeSnapshotClassName)" = folders-kept ] || die "its class is not recorded"
await 90 "nothing of the copy is left" no_snapshots

# Removed while kopiur runs: the server deletes the classes first, and its watches report each as deleted.
[ -n "$(mirrored "$kind.-.folders-kept")" ] || die "the class is not mirrored: nothing would be shown"
kept >"$home/kept"
in_repository snapshot list --all --json | jq -r '.[].id' | sort >"$home/ids"
definitions delete
await 40 "the gateway notices that the kind was removed" presence NotInstalled
snapshotted waits-again
await 30 "the next Backup by Snapshot waits" reason waits-again SnapshotsNotInstalled
plain meanwhile "after the removal"
sleep 35  # longer than the gateway's interval
for each in folders folders-kept; do
  [ -n "$(mirrored "$kind.-.$each")" ] || die "the class $each was reported as deleted because its kind was removed"
done
diff "$home/kept" <(kept | grep -v '^meanwhile ') >"$home/difference" || die "Backups have changed: $(cat "$home/difference")"
[ -z "$(comm -23 "$home/ids" <(in_repository snapshot list --all --json | jq -r '.[].id' | sort))" ] || die "snapshots are gone"
echo "ok: nothing was reported as deleted, and nothing was cleaned up"

# Installed again, first without one class: its absence is now a fact, by a complete list.
definitions apply --server-side
await 40 "the kind is listed again" presence Listed
class_is_gone() { [ -z "$(mirrored "$kind.-.folders-kept")" ]; }
await 10 "and the class is known not to exist" class_is_gone
await 10 "for which the Backup waits" reason waits-again SnapshotClassMissing
kube apply -f "$root/e2e/cluster/storage.yaml" >>"$home/made"
await 120 "it Succeeded" is backup waits-again status.phase Succeeded
await 90 "nothing of the copy is left" no_snapshots
kube delete volumesnapshotclass folders-kept >>"$home/made"
await 10 "a class that is deleted while its kind is there is reported as deleted" class_is_gone
plain after "at the end"
