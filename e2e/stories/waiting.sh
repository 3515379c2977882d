#!/usr/bin/env bash
# Restores that wait for a snapshot: one in vain, as long as its policy says; one for which a Backup comes in time; one that may stay empty.
# And a Backup that is deleted while a Restore reads its snapshot: it reports that, and disappears afterwards.
slow_kopia=yes  # leaves time to catch a mover at work
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests 250
start_up
await 60 "the repository is Ready" is repository main status.phase Ready
{ restore_soon in-vain 'waitTimeout: 8s'; restore_soon in-time 'waitTimeout: 3m'; restore_soon may-be-empty 'onMissingSnapshot: Continue'; } >"$home/restores.yaml"
k apply -f "$home/restores.yaml" >/dev/null
waits() { [ "$(ready_condition restore "$1" reason)" = NoSnapshot ]; }
await 20 "a Restore says that there is no snapshot" waits in-vain
says "$(ready_condition restore in-vain message)" "holds no snapshot of docs@default:/pvc/source" "Waiting for one for 8s" "spec.policy.waitTimeout"
await 20 "the one that may stay empty has completed" is restore may-be-empty status.phase Completed
[ -z "$(ls -A "$data/volumes/default/may-be-empty")" ] || die "it should be empty, and holds $(ls -A "$data/volumes/default/may-be-empty")"
says "$(ready_condition restore may-be-empty message)" "holds no snapshot" "because of onMissingSnapshot: Continue"
await 20 "the one that waited 8 s has failed" is restore in-vain status.phase Failed
[ "$(ready_condition restore in-vain reason)" = SnapshotMissing ] || die "it says $(ready_condition restore in-vain reason)"
says "$(ready_condition restore in-vain message)" "None came within 8s"
gone pvc in-vain || die "a claim was made for nothing"
waits in-time || die "the one with three minutes should wait still: $(ready_condition restore in-time reason)"

backup=$(backup_now)
[ -n "$backup" ] || die "the backup failed"
await 30 "the one for which a Backup came in time has completed" is restore in-time status.phase Completed
diff -r "$home/source" "$data/volumes/default/in-time" || die "what was restored is not the source"
[ "$(field restore in-vain status.phase)" = Failed ] || die "the one that had failed began again"
echo "ok: each waited as long as it should"

k restore --backup "$backup" --name reading --to reading >/dev/null
mover=$(mover_of restore reading) || die "no mover came"
hold "$mover"  # now it takes as long as the story needs
k delete backup "$backup" >/dev/null 2>&1
in_use() { [ "$(ready_condition backup "$backup" reason)" = InUseByRestore ]; }
await 20 "the deleted Backup says that a Restore uses its snapshot" in_use
says "$(ready_condition backup "$backup" message)" "Restore reading uses the snapshot" "afterwards"
sleep 5
in_use && kept "$(field backup "$backup" status.snapshot.kopiaSnapshotID)" || die "its snapshot should be there as long as it is read"
kill -CONT "$mover"
await 30 "the Restore has completed" is restore reading status.phase Completed
diff -r "$home/source" "$data/volumes/default/reading" || die "what was restored is not the source"
await 60 "and then the Backup goes" gone backup "$backup"
[ -z "$(snapshots)" ] || die "its snapshot is still there"
echo "ok: a snapshot that is read is deleted afterwards"
