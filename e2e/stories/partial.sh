#!/usr/bin/env bash
# A source with one unreadable file: the Backup fails and names the file, yet the readable files are saved, listed and can be restored. It
# never counts as the newest good one. With ignore.fileErrors it succeeds, and reports the number of skipped files.
if [ -z "${KOPIUR_OWN_MOUNTS:-}" ]; then  # a non-root user becomes root in a user namespace
  [ "$(id -u)" = 0 ] && map=() || map=(--map-root-user)
  KOPIUR_OWN_MOUNTS=1 exec unshare --mount "${map[@]}" bash "$0" "$@"
fi
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests
mkdir "$home/source/letters" && echo "a letter" >"$home/source/letters/first"
recipe lenient | sed 's/^  sources:/  policy: {ignore: {fileErrors: true}}\n&/' >"$home/manifests/lenient.yaml"
start_up
await 60 "the repository is Ready" is repository main status.phase Ready
whole=$(backup_now)
[ -n "$whole" ] || die "a whole source could not be saved"

# Root may read every file. Each read of this one (the memory of this shell, at address 0) fails with EIO, as on a broken disk.
: >"$home/source/letters/broken" && mount --bind /proc/$$/mem "$home/source/letters/broken"
release() { umount "$home/source/letters/broken"; }
! cat "$home/source/letters/broken" >/dev/null 2>&1 || die "the file can be read: the story proves nothing"
echo "a second letter" >"$home/source/letters/second"
part=$(ask_backup)
await 60 "the Backup of it has failed" is backup "$part" status.phase Failed
[ "$(ready_condition backup "$part" reason)" = SourceUnreadable ] || die "it says $(ready_condition backup "$part" reason)"
says "$(ready_condition backup "$part" message)" "1 entry could not be read" "letters/broken"
[ "$(field backup "$part" status.stats.errorCount)" = 1 ] || die "it counts $(field backup "$part" status.stats.errorCount) errors"
[ "$(field backup "$part" status.job.attempts)" = 1 ] || die "a snapshot that is there was taken once more"
kept "$(field backup "$part" status.snapshot.kopiaSnapshotID)" || die "what could be read was not kept"
says "$(status)" "note" "$part" "The newest of docs failed: 1 entry could not be read"
says "$(k ls "$part" letters)" first second

k restore --config docs --name newest --to newest --wait >/dev/null 2>&1 || die "a Restore of the newest failed"
[ "$(k get restore newest --field status.resolved.backupRef)" = "$whole" ] || die "the newest good one is $whole, and $(k get restore newest --field status.resolved.backupRef) was restored"
says "$(k restore --backup "$part" --name refused --to refused --wait 2>&1 || true)" "has no complete snapshot" "spec.source.identity"
gone pvc refused || die "a claim was made for nothing"
id=$(field backup "$part" status.snapshot.kopiaSnapshotID)
printf -- '---\napiVersion: kopiur.home-operations.com/v1alpha1\nkind: Restore\nmetadata: {name: rest, namespace: default}\nspec: {repository: {name: main}, source: {identity: {username: docs, hostname: default, sourcePath: /pvc/source, snapshotID: %s}}, target: {pvc: {name: rest}}}\n' "$id" >"$home/rest.yaml"
k apply -f "$home/rest.yaml" >/dev/null
await 30 "what could be read is restored for who asks for just that" is restore rest status.phase Completed
diff -r --exclude=broken "$home/source" "$data/volumes/default/rest" || die "what was restored is not what could be read"
echo "ok: what could be read is kept, and never taken for the newest good one"

lenient=$(backup_now lenient)
[ -n "$lenient" ] || die "the recipe that passes over such files failed"
[ "$(field backup "$lenient" status.stats.errorCount)" = 1 ] || die "it does not say how many it passed over"
each_once 3
k delete backup "$part" >/dev/null 2>&1
await 40 "the one that failed goes when it is deleted, with its snapshot" gone backup "$part"
each_once 2
