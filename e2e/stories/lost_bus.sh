#!/usr/bin/env bash
# The bus loses everything, while kopiur is down and while a Backup runs. It costs time, never data: nothing is deleted, no past slot fires
# again, no Restore overwrites later changes, each open run ends once, and everything continues.
slow_kopia=yes  # leaves time to catch a mover at work
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests
schedule yearly '0 0 1 1 *' 'runOnCreate: true' >"$home/manifests/schedule.yaml"
empty_claim back >"$home/manifests/back.yaml"
start_up
await 60 "the repository is Ready" is repository main status.phase Ready
scheduled() { k get backups -o json | jq -e '[.items[] | select(.metadata.labels["kopiur.home-operations.com/origin"] == "scheduled" and .status.phase == "Succeeded")] | length >= '"$1"; }
await 60 "the schedule has fired as it was made" scheduled 1
first=$(backup_now)
restore_of once "$first" back >"$home/manifests/restore.yaml"
await 60 "the Restore is Completed" is restore once status.phase Completed
echo "written since" >"$data/volumes/default/back/data.bin"
ended() { k get backups -o json | jq -e 'all(.items[]; .status.phase == "Succeeded")'; }
await 60 "all Backups have ended" ended

# lose: deletes the bus's folder, with all streams, durables, facts and leases.
lose() { rm -rf "$data/bus/store"; }
k get backups -o json | jq -S '[.items[] | {name: .metadata.name, uid: .metadata.uid, at: .status.snapshot.kopiaSnapshotID}]' >"$home/before"
snapshots >"$home/snapshots.before"
kill_up; lose; start_up
await 60 "the repository is Ready again" is repository main status.phase Ready
second=$(backup_now)
[ -n "$second" ] || die "no Backup can be taken after the loss"
k get backups -o json | jq -S --arg new "$second" '[.items[] | select(.metadata.name != $new) | {name: .metadata.name, uid: .metadata.uid, at: .status.snapshot.kopiaSnapshotID}]' >"$home/after"
diff "$home/before" "$home/after" >&2 || die "the Backups are not those of before"
comm -23 "$home/snapshots.before" <(snapshots) >"$home/lost"
[ ! -s "$home/lost" ] || die "snapshots are gone: $(cat "$home/lost")"
[ "$(cat "$data/volumes/default/back/data.bin")" = "written since" ] || die "the Restore was done once more, over what was written since"
each_once $(($(jq length "$home/before") + 1))
echo "ok: a bus that lost everything: the same Backups, each with its snapshot; the Restore was not repeated; a new Backup is taken"

# While a mover works: its result is not stored on the bus.
head -c 400000000 /dev/urandom >"$home/source/big.bin"
running=$(ask_backup)
pid=$(mover_of backup) || die "no mover came"
kill_up; lose; start_up
await 120 "the Backup in whose run the bus was lost has Succeeded" is backup "$running" status.phase Succeeded
each_once $(($(jq length "$home/before") + 2))

# Deletion works as before.
gone_id=$(field backup "$second" status.snapshot.kopiaSnapshotID)
k delete backup "$second" >>"$home/asked"
await 60 "a Backup that is deleted goes" gone backup "$second"
! kept "$gone_id" || die "its snapshot is still there"
echo "ok: and a deletion takes its snapshot along"
