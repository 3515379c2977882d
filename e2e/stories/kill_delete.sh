#!/usr/bin/env bash
# kill -9 of kopia, the mover, kopiur and nats-server in the middle of deletions: each Backup disappears by itself once its snapshot is
# gone. No other snapshot is deleted with it, and every snapshot that a Backup names stays.
slow_kopia=yes  # makes a deletion long enough to be interrupted
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests
start_up
await 60 "the repository is Ready" is repository main status.phase Ready
doomed=()
for who in stays kopia mover bus-and-kopiur; do
  echo "$who" >"$home/source/changes"
  name=$(backup_now) && [ -n "$name" ] || die "the backup before $who did not succeed"
  id=$(field backup "$name" status.snapshot.kopiaSnapshotID)
  if [ "$who" = stays ]; then kept=$name kept_id=$id; else doomed+=("$who $name $id"); fi
done
each_once 4

for each in "${doomed[@]}"; do
  read -r who name id <<<"$each"
  k delete backup "$name" >/dev/null
  mover=$(mover_of delet "$id") || mover=$(mover_of delet "$id") || mover=$(mover_of delet "$id") || die "no mover came to delete $name"
  case $who in
    kopia) victim=$(kopia_of "$mover") || die "the mover runs no kopia" ;;
    mover) victim=$mover ;;
    bus-and-kopiur) victim=$(bus_pid) ;;
  esac
  sleep "0.$((RANDOM % 4))"
  kill -9 "$victim" 2>/dev/null || { [ "$who" = kopia ] && kill -9 "$(kopia_of "$mover")"; } || die "$who ran no more"
  echo "killed in the middle of a deletion: $who $victim"
  if [ "$who" = bus-and-kopiur ]; then
    sleep 0.3
    kill_up
    flock "$data/up.lock" sleep 1 &  # as a child that kopiur was just starting holds it
    sleep 0.2
    start_up
  fi
  await 30 "kopiur answers" k get backups
done
for each in "${doomed[@]}"; do
  read -r who name id <<<"$each"
  await 60 "the Backup in whose deletion $who was killed is gone" gone backup "$name"
  ! kept "$id" || die "its snapshot $id is still there"
done
is backup "$kept" status.phase Succeeded || die "the Backup that nobody deleted is $(field backup "$kept" status.phase)"
[ "$(snapshots)" = "$kept_id" ] || die "the repository should hold $kept_id alone, and holds $(snapshots)"
[ "$(grep -c '"run.attempt-failed' "$data/kopiur.log")" -gt 0 ] || die "no attempt was lost: the story killed nothing that worked"
[ -n "$(backup_now)" ] || die "a backup after all that should work"
each_once 2
echo "ok: three deletions, each done once"
