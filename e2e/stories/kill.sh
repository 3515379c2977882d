#!/usr/bin/env bash
# kill -9 of kopiur, of the mover and of nats-server at random moments of backups: each Backup ends by itself, once; nothing lost, nothing twice.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
rounds=${1:-6}
plain_manifests
start_up
await 90 "the repository is Ready" is repository main status.phase Ready

mover_pid() { for _ in $(seq 60); do pgrep -f "kopiur-mover $home/data/jobs/backup" | head -1 | grep . && return; sleep 0.05; done; }
bus_pid() { grep '"bus.started"' "$home/data/kopiur.log" | tail -1 | grep -oE '"pid":[0-9]+' | grep -oE '[0-9]+'; }

for round in $(seq "$rounds"); do
  echo "$round" >>"$home/source/changes"
  k backup now docs >/dev/null || die "backup now was refused"
  case $((round % 3)) in
    0) who=mover; victim=$(mover_pid || true); sleep "0.$((RANDOM % 5))" ;;
    1) who=kopiur; victim=$up_pid; sleep "1.$((RANDOM % 9))" ;;
    2) who=nats-server; victim=$(bus_pid); sleep "0.$((RANDOM % 9))" ;;
  esac
  [ -z "$victim" ] || kill -9 "$victim" 2>/dev/null || true
  echo "killed: $who ${victim:-(none ran)}"
  if [ "$who" = kopiur ]; then wait "$up_pid" 2>/dev/null || true; start_up; fi
  await 60 "kopiur answers again" k get repositories
done

phases() { k get backups -o json | jq -r '.items[].status.phase'; }
all_over() { [ "$(phases | grep -cE 'Succeeded|Failed')" = "$rounds" ]; }
await 240 "all $rounds Backups have ended" all_over
[ "$(phases | grep -c Succeeded)" = "$rounds" ] || { k get backups -o json | jq -c '.items[]|{n:.metadata.name,p:.status.phase,f:.status.failure}'; die "not all succeeded"; }
k get backups -o json | jq -r '.items[].status.snapshot.kopiaSnapshotID' | sort >"$home/named"
in_repository snapshot list --all --json | jq -r '.[]|select(.incomplete==null)|.id' | sort >"$home/there"
diff "$home/named" "$home/there" || die "the repository does not hold exactly the snapshots that the Backups name"
[ "$(sort -u "$home/named" | wc -l)" = "$rounds" ] || die "two Backups name one snapshot"
[ "$(grep -c '"run.attempt-failed' "$home/data/kopiur.log")" -gt 0 ] || die "no mover was lost: the story killed none while it worked"
echo "ok: $rounds Backups, $rounds snapshots, each once"
