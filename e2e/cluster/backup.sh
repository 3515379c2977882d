#!/usr/bin/env bash
# with_shared_node.sh backup.sh: the main job in a cluster. A repository is created on a claim; Backups of a claim, by hand and by schedule,
# are done by movers in Jobs; a Restore into another claim is compared byte by byte; history is imported from a claim. A deleted Backup's
# snapshot is deleted, and nothing of a run is left.
namespace=backup
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
made=$(import_image mover)
start_services "${made%% *}"
source=$home/volumes/source target=$home/volumes/target
{ secret password a-story; claim store "$home/volumes/store"; claim source "$source"; claim target "$target"; } | k apply -f - >>"$home/made"
head -c 3000000 /dev/urandom >"$source/data.bin"
mkdir -p "$source/a/b" && echo text >"$source/a/b/text" && ln -s ../a "$source/a/link" && chown -R 65532:65532 "$source"
{ repository main /kopia password true store; recipe docs; } | k apply -f - >>"$home/made"
await 90 "the repository is Ready" is repository main status.phase Ready

began=${EPOCHREALTIME/./}
backup_of docs by-hand | k apply -f - >>"$home/made"
await 90 "a Backup by hand Succeeded" is backup by-hand status.phase Succeeded
echo "ok: $(((${EPOCHREALTIME/./} - began) / 1000)) ms from its creation to its end"
[ "$(field backup by-hand status.snapshot.identity.sourcePath)" = /pvc/source ] || die "its source is told as $(field backup by-hand status.snapshot.identity.sourcePath)"

printf 'apiVersion: kopiur.home-operations.com/v1alpha1\nkind: Restore\nmetadata: {name: back}\nspec: {source: {backupRef: {name: by-hand}}, target: {pvcRef: {name: target}}}\n' | k apply -f - >>"$home/made"
await 90 "the Restore is Completed" is restore back status.phase Completed
diff -r --no-dereference "$source" "$target" >"$home/difference" || die "the restored files differ: $(head -5 "$home/difference")"
[ "$(readlink "$target/a/link")" = ../a ] || die "the link is not what it was"
echo "ok: the restored claim holds the same bytes"

claim history "$home/volumes/history" | k apply -f - >>"$home/made"
echo "as it was" >"$home/volumes/history/text" && chown 65532:65532 "$home/volumes/history/text"
"$bin/kopiur" import -n "$namespace" --config docs --at 2026-01-02T03:00:00Z --from history --wait --timeout 90 >>"$home/said" 2>&1 || die "history is not brought in: $(tail -3 "$home/said")"
[ "$(field backup import-docs-20260102-030000 status.origin)" = imported ] || die "brought in is told as $(field backup import-docs-20260102-030000 status.origin)"
in_repository snapshot list --all --json >"$home/snapshots.json"
jq -e --arg id "$(field backup import-docs-20260102-030000 status.snapshot.kopiaSnapshotID)" 'any(.[]; .id == $id and .startTime == "2026-01-02T03:00:00Z" and .source.path == "/pvc/source")' \
  "$home/snapshots.json" >>"$home/said" || die "the repository does not hold what was brought in at its time: $(jq -c '.[] | [.id, .startTime, .source.path]' "$home/snapshots.json")"
echo "ok: history in a claim is brought in, at the time that it is of"

schedule soon '* * * * *' 'runOnCreate: true' | k apply -f - >>"$home/made"
by_schedule() { k get backups -l kopiur.home-operations.com/backup-schedule=soon -o jsonpath='{.items[*].status.phase}'; }
succeeded_by_schedule() { [[ " $(by_schedule) " == *' Succeeded '* ]]; }
await 90 "a Backup by schedule Succeeded" succeeded_by_schedule
k delete backupschedule soon >>"$home/made"

in_repository snapshot list --all --json >"$home/snapshots.json"
id=$(field backup by-hand status.snapshot.kopiaSnapshotID)
jq -e --arg id "$id" 'any(.[]; .id == $id)' "$home/snapshots.json" >"$home/said" || die "the repository does not hold $id"
k delete backup by-hand --wait=false >>"$home/made"
await 90 "the deleted Backup is gone" gone backup by-hand
in_repository snapshot list --all --json >"$home/snapshots.json"
jq -e --arg id "$id" 'all(.[]; .id != $id)' "$home/snapshots.json" >"$home/said" || die "the Backup is gone, but its snapshot $id is there"
echo "ok: and its snapshot with it"

# ours KIND [OPTIONS]: the objects in this story's two namespaces.
ours() { k get "$@" && kube --namespace="$system" get "$@"; }
# What remains is kept only as a mark that the run is over (removed-at), without a Secret, and is removed automatically.
tidy() { [ "$(ours jobs -o json | jq -s '[.[].items[] | select(.metadata.annotations["kopiur.home-operations.com/removed-at"] == null)] | length')" = 0 ]; }
await 60 "no Job is left that nobody has removed" tidy
left=$(ours secrets -l kopiur.home-operations.com/run -o name)
[ -z "$left" ] || die "Secrets of runs are left: $left"
echo "ok: no Secret of a run is left"
