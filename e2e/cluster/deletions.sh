#!/usr/bin/env bash
# with_shared_node.sh deletions.sh: what `kubectl delete` deletes from a repository. Policies Delete, Retain and Orphan, the BackupConfig's
# default, an annotation that keeps the snapshot, a pin that blocks; a burst that is held until released; a BackupConfig and a schedule that
# delete their Backups, and a BackupConfig that does not. kopia's own list before and after shows exactly the expected deletions, and a kept
# snapshot is discovered again.
namespace=deletions
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
made=$(import_image mover)
start_services "${made%% *}"
prefix=kopiur.home-operations.com
source=$home/volumes/source
{ secret password a-story; claim store "$home/volumes/store"; claim source "$source"; } | k apply -f - >>"$home/made"
head -c 300000 /dev/urandom >"$source/data.bin" && chown -R 65532:65532 "$source"
{
  repository main /kopia password true store && printf '  deletionProtection: {threshold: 3, window: 1h}\n  catalog: {refreshInterval: 1m}\n'
  recipe docs && echo '  onConfigDelete: Delete'
  recipe kept && echo '  defaultDeletionPolicy: Retain'
} | k apply -f - >>"$home/made"
await 90 "the repository is Ready" is repository main status.phase Ready

# take CONFIG POLICY NAME...: creates Backups with that policy; `-` is the BackupConfig's own.
take() {
  local config=$1 policy="deletionPolicy: $2, "; shift 2
  for each in "$@"; do backup_of "$config" "$each" | sed "s/spec: {/&${policy#deletionPolicy: -, }/"; done | k apply -f - >>"$home/made"
}
take docs Delete erased pinned skipped burst-1 burst-2 last
take docs Retain retained
take docs Orphan orphaned
take kept - survivor
{ schedule soon '0 0 1 1 *' 'runOnCreate: true' | sed 's/name: docs/name: kept/' && echo '  onScheduleDelete: Delete'; } | k apply -f - >>"$home/made"
saved() { [ "$(k get backups -o json | jq '[.items[] | select(.status.phase == "Succeeded")] | length')" = 10 ]; }
await 120 "ten Backups Succeeded" saved
declare -A id
while read -r name snapshot origin; do [ "$origin" = manual ] || name=by-schedule; id[$name]=$snapshot; done < <(k get backups -o json | jq -r '.items[] | "\(.metadata.name) \(.status.snapshot.kopiaSnapshotID) \(.status.origin)"')
listed() { in_repository snapshot list --all --json | jq -r '.[].id' | sort; }
# holds WHEN NAME...: the repository holds exactly the snapshots of these Backups.
holds() {
  local when=$1; shift
  diff <(for each in "$@"; do echo "${id[$each]}"; done | sort) <(listed) >"$home/difference" || die "$when the repository holds other snapshots: $(grep '^[<>]' "$home/difference" | tr '\n' ' ') of $(declare -p id)"
  echo "ok: $when the repository holds $# snapshots"
}
holds "at first" "${!id[@]}"
reason() { k get backup "$1" -o json | jq -r '.status.conditions[]? | select(.type == "Ready").reason'; }
waits_for() { local why=$1; shift; for each in "$@"; do [ "$(reason "$each")" = "$why" ] || return 1; done; }

k get backup orphaned --watch -o json >"$home/orphaned" & pids+=($!)
k patch backup pinned --type=merge -p '{"spec": {"pin": true}}' >>"$home/made"
k annotate backup skipped "$prefix/skip-snapshot-cleanup=true" >>"$home/made"
k delete backup erased pinned skipped retained orphaned --wait=false >>"$home/made"
await 60 "four of five are gone" gone backups erased skipped retained orphaned
await 30 "the pinned one says why it is not" waits_for Pinned pinned
left=(pinned skipped burst-1 burst-2 last retained orphaned survivor by-schedule)
holds "after policies Delete, Retain and Orphan" "${left[@]}"
jq -se 'any(.[]; .status.orphaned == true)' "$home/orphaned" >"$home/said" || die "that the Orphan's snapshot stays was not recorded before it went"
events=$(k get events -o json | jq -r '.items[] | select(.reason == "SnapshotOrphaned") | "\(.involvedObject.name) \(.type)"' | sort -u | tr '\n' ' ')
[ "$events" = "orphaned Normal skipped Warning " ] || die "other events tell of orphaned snapshots: $events"
k patch backup pinned --type=merge -p '{"spec": {"pin": false}}' >>"$home/made"
await 60 "the pinned one goes once its pin is off" gone backups pinned

# With the two deleted before, these are four; three are allowed per hour.
k delete backup burst-1 burst-2 --wait=false >>"$home/made"
await 30 "a burst is held" waits_for HeldByDeletionProtection burst-1 burst-2
sleep 12  # deletions are batched for ten seconds
waits_for HeldByDeletionProtection burst-1 burst-2 || die "the burst is held no longer, and nobody has released it"
left=("${left[@]:1}")
holds "while the burst is held" "${left[@]}"
k annotate repository main "$prefix/allow-mass-deletion=$(date -u +%FT%TZ)" >>"$home/made"
await 60 "and goes once it is released" gone backups burst-1 burst-2

k delete backupconfig docs --wait=false >>"$home/made"
k delete backupschedule soon --wait=false >>"$home/made"
await 90 "a recipe is gone after its Backups" gone backupconfig docs
await 30 "a schedule is gone after its Backups" gone backupschedule soon
k delete backupconfig kept --wait=false >>"$home/made"
await 30 "a recipe that keeps its Backups is gone" gone backupconfig kept
mine() { k get backups -o json | jq -r '[.items[] | select(.status.origin != "discovered").metadata.name] | sort | join(" ")'; }
[ "$(mine)" = survivor ] || die "one Backup should be left, and these are: $(mine)"
left=(skipped retained orphaned survivor by-schedule)
holds "in the end" "${left[@]}"

found() { k get backups -o json | jq -r '.items[] | select(.status.origin == "discovered").status.snapshot.kopiaSnapshotID' | sort; }
all_found() { diff <(for each in "${left[@]}"; do [ "$each" = survivor ] || echo "${id[$each]}"; done | sort) <(found); }
await 100 "what stayed without a Backup is found again" all_found
k delete backups -l "$prefix/origin=discovered" --wait=false >>"$home/made"
k delete repository main --wait=false >>"$home/made"  # it would discover them again
await 30 "what was found can be deleted as an object" eval '[ "$(k get backups -o name)" = backup.$prefix/survivor ]'
holds "after that" "${left[@]}"
