#!/usr/bin/env bash
# SIGTERM in the middle of a backup, a restore, a maintenance: kopiur up ends cleanly within 10 s and leaves the mover running. At the next
# start the run is resumed and ends once. The same if the mover was stopped too (a host that shuts down).
slow_kopia=yes  # leaves time to catch a mover at work
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests 250
start_up
await 60 "the repository is Ready" is repository main status.phase Ready

# stop_quickly: stops kopiur; the mover continues.
stop_quickly() {
  stop_up
  [ "$took" -lt 10000 ] || die "kopiur up took $took ms to end"
  kill -0 "$mover" 2>/dev/null || die "the mover ended with kopiur up: the story proves nothing"
}
doing=''  # pid of the stopped kopia, if any
# stop_both: stops the mover, too.
stop_both() {
  local n
  stop_quickly
  kill -TERM "$mover"
  [ -z "$doing" ] || kill -CONT "$doing"
  for n in $(seq 200); do kill -0 "$mover" 2>/dev/null || break; sleep 0.1; done
  ! kill -0 "$mover" 2>/dev/null || die "the mover did not end within 20 s of SIGTERM"
  echo "ok: it ended after $took ms, and the mover was told to stop"
}

first=$(ask_backup)
mover=$(mover_of backup) || die "no mover came"
stop_quickly
[ -z "$(pgrep -f "nats-server -c $data/bus/server.conf" || true)" ] || die "nats-server lives on without kopiur up"
echo "ok: it ended after $took ms, the mover works on"
start_up
await 60 "the run was taken up again and has succeeded" is backup "$first" status.phase Succeeded
[ "$(field backup "$first" status.job.attempts)" = 1 ] || die "it took $(field backup "$first" status.job.attempts) attempts: the mover was not adopted"

echo more >"$home/source/changes" && head -c 250000000 /dev/urandom >"$home/source/data.bin"
second=$(ask_backup)
mover=$(mover_of backup "$(k get backup "$second" --field status.resolved.identity.username || true)") || die "no mover came"
stop_both
start_up
await 90 "the backup whose mover was stopped ends by itself" is backup "$second" status.phase Succeeded
each_once 2
echo "ok: two Backups, two snapshots"

# begin_restore NAME: sets $mover to its mover, and $doing to its kopia, which is stopped in the middle of writing into the new claim.
begin_restore() {
  local n
  k restore --config docs --name "$1" --to "$1" >/dev/null
  mover=$(mover_of restore "$1") || die "no mover came for $1"
  for n in $(seq 500); do [ -z "$(find "$data/volumes/default/$1" -type f -size +1M 2>/dev/null)" ] || break; sleep 0.02; done
  doing=$(kopia_of "$mover") && kill -STOP "$doing" && held+=("$doing") || die "nothing was being written for $1"
}
restored() {
  await 90 "the restore has completed" is restore "$1" status.phase Completed
  diff -r "$home/source" "$data/volumes/default/$1" || die "what was restored is not the source"
}
begin_restore adopted && stop_quickly
kill -CONT "$doing"
start_up && restored adopted
[ "$(field restore adopted status.execution.attempt)" = 1 ] || die "it took $(field restore adopted status.execution.attempt) attempts: the mover was not adopted"
begin_restore stopped && stop_both
start_up && restored stopped
[ "$(field restore stopped status.execution.attempt)" = 2 ] || die "it took $(field restore stopped status.execution.attempt) attempts: the mover was not stopped in the middle"

# begin_maintenance HOW: requests it, and stops its mover at work.
maintenance=$(k get maintenances -o json | jq -r '.items[0].metadata.name')
begin_maintenance() {
  asked="$1 $RANDOM"
  k get maintenance "$maintenance" -o json | jq --arg asked "$asked" '{apiVersion, kind, metadata: {name: .metadata.name, namespace: .metadata.namespace, annotations: {"kopiur.home-operations.com/run-maintenance": $asked}}, spec}' >"$home/maintenance.json"
  before=$(field maintenance "$maintenance" "status.$1.lastRunAt" || true)
  k apply -f "$home/maintenance.json" >/dev/null
  mover=$(mover_of maintain) || die "no mover came for the $1 maintenance"
  hold "$mover"
}
maintained() { [ "$(field maintenance "$maintenance" "status.$1.lastRunAt" || true)" != "$before" ] && is maintenance "$maintenance" "status.$1.consecutiveFailures" 0; }
begin_maintenance quick && stop_quickly
start_up && sleep 3
! maintained quick || die "it is told as done while kopia is held"
kill -CONT "$mover"
await 60 "the maintenance was taken up again and has succeeded" maintained quick
begin_maintenance full
stop_quickly && kill -TERM "$mover" && kill -CONT "$mover"
start_up
await 90 "the maintenance whose mover was stopped has succeeded by itself" maintained full
twice=$(grep '"run.observed.v1"' "$data/kopiur.log" | jq -r .run | sort | uniq -d)
[ -z "$twice" ] || die "ended twice: $twice"
[ "$(snapshots | wc -l)" = 2 ] || die "there should be two snapshots still"
