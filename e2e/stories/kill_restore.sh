#!/usr/bin/env bash
# kill -9 of the mover, kopia, kopiur and nats-server in the middle of restores: each ends by itself, once, and the restored bytes are the
# source's. A Restore into an existing claim is never retried: its result is unknown, and its status says so.
slow_kopia=yes  # leaves time to catch a mover at work
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests 150
for i in $(seq 300); do echo "letter $i $RANDOM" >"$home/source/letter-$i"; done
mkdir -p "$home/source/deep/er" "$home/old-claim" && ln -s ../data.bin "$home/source/deep/link" && chmod 640 "$home/source/letter-1"
volume old-claim "$home/old-claim" >"$home/manifests/old-claim.yaml"
start_up
await 60 "the repository is Ready" is repository main status.phase Ready
[ -n "$(backup_now)" ] || die "the backup did not succeed"

writing() { [ -n "$(find "$1" -type f -size +1M 2>/dev/null)" ]; }
# catch_writing MOVER FOLDER: runs the mover's kopia in short steps until it has begun to write, and leaves it stopped. So it is caught in
# the middle on any machine, idle or busy.
catch_writing() {
  local pid until=$((SECONDS + 60))
  while ! writing "$2"; do
    [ "$SECONDS" -lt "$until" ] || die "nothing was written into $2 within 60 s"
    pid=$(pgrep -P "$1" | head -1) || true
    { [ -n "$pid" ] && kill -CONT "$pid" && sleep 0.02 && kill -STOP "$pid"; } 2>/dev/null || sleep 0.02
  done
}
# restore_and_kill NAME WHO FOLDER [OPTIONS...]: requests a restore, and kills WHO while kopia writes into FOLDER.
restore_and_kill() {
  local name=$1 who=$2 folder=$3 mover kopia victim; shift 3
  k restore --config docs --name "$name" --to "$name" "$@" >/dev/null
  mover=$(mover_of restore "$folder") || die "no mover came for $name"
  catch_writing "$mover" "$folder"
  kopia=$(kopia_of "$mover") || die "$name was over before anything could be killed"
  case $who in
    kopia) victim=$kopia ;;
    mover) victim=$mover ;;
    kopiur) victim=$up_pid ;;
    nats-server) victim=$(bus_pid) ;;
  esac
  kill -9 "$victim" || die "$who ran no more"
  kill -CONT "$kopia" 2>/dev/null || true
  echo "killed in the middle of $name: $who $victim"
  [ "$who" != kopiur ] || { wait "$up_pid" 2>/dev/null || true; start_up; }
  await 30 "kopiur answers" k get restores
}
for who in mover kopia kopiur nats-server; do restore_and_kill "new-$who" "$who" "$data/volumes/default/new-$who"; done
restore_and_kill old-claim mover "$home/old-claim" --existing

for who in mover kopia kopiur nats-server; do
  await 60 "the restore in which $who was killed has completed" is restore "new-$who" status.phase Completed
  diff -r --no-dereference "$home/source" "$data/volumes/default/new-$who" || die "what was restored is not the source ($who)"
  [ "$(stat -c %a "$data/volumes/default/new-$who/letter-1")" = 640 ] || die "a mode was lost ($who)"
done
await 30 "the restore into the old claim has ended" is restore old-claim status.phase Failed
[ "$(ready_condition restore old-claim reason)" = Unknown ] || die "it says $(ready_condition restore old-claim reason)"
says "$(ready_condition restore old-claim message)" "not tried again" "create a new Restore"
[ "$(k get restore old-claim --field status.execution.attempt)" = 1 ] || die "it was tried twice"
twice=$(grep '"run.observed.v1"' "$data/kopiur.log" | jq -r .run | sort | uniq -d)
[ -z "$twice" ] || die "ended twice: $twice"
[ "$(grep -c '"run.attempt-failed' "$data/kopiur.log")" -ge 2 ] || die "no attempt was lost: the story killed nothing that worked"
k restore --config docs --name again --to old-claim --existing --wait >/dev/null 2>&1 || die "a new Restore into it failed"
# Other files in an existing claim are not ours to remove; those that the killed kopia was writing are.
missing=$(diff -r --no-dereference "$home/source" "$home/old-claim" | grep -v "^Only in $home/old-claim: .*[0-9]$" || true)
[ -z "$missing" ] || die "the new Restore did not make it whole: $missing"
echo "ok: five restores, each ended once; what completed is the source"
