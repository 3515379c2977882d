#!/usr/bin/env bash
# kill -9 of kopiur, the mover and nats-server at random moments of backups: each Backup ends once, by itself; nothing is lost or done
# twice.
slow_kopia=yes  # leaves time to catch a mover at work
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
rounds=${1:-6}
plain_manifests
start_up
await 90 "the repository is Ready" is repository main status.phase Ready

for round in $(seq "$rounds"); do
  echo "$round" >>"$home/source/changes"
  k backup now docs >/dev/null || die "backup now was refused"
  case $((round % 3)) in
    0) who=mover; victim=$(mover_of backup || true); sleep "0.$((RANDOM % 5))" ;;
    1) who=kopiur; victim=$up_pid; sleep "1.$((RANDOM % 9))" ;;
    2) who=nats-server; victim=$(bus_pid); sleep "0.$((RANDOM % 9))" ;;
  esac
  [ -z "$victim" ] || kill -9 "$victim" 2>/dev/null || true
  echo "killed: $who ${victim:-(none ran)}"
  if [ "$who" = kopiur ]; then kill_up; start_up; fi
  await 60 "kopiur answers again" k get repositories
done

phases() { k get backups -o json | jq -r '.items[].status.phase'; }
all_over() { [ "$(phases | grep -cE 'Succeeded|Failed')" = "$rounds" ]; }
await 240 "all $rounds Backups have ended" all_over
[ "$(phases | grep -c Succeeded)" = "$rounds" ] || { k get backups -o json | jq -c '.items[]|{n:.metadata.name,p:.status.phase,f:.status.failure}'; die "not all succeeded"; }
each_once "$rounds"
[ "$(grep -c '"run.attempt-failed' "$data/kopiur.log")" -gt 0 ] || die "no mover was lost: the story killed none while it worked"
echo "ok: $rounds Backups, $rounds snapshots, each once"
