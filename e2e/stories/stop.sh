#!/usr/bin/env bash
# SIGTERM in the middle of a backup: kopiur up ends within 10 s, cleanly, and leaves the mover at work; at the next start the run is taken up again
# and ends once. The same where the mover was stopped too (a host that shuts down).
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests 250
start_up
await 60 "the repository is Ready" is repository main status.phase Ready

first=$(ask_backup)
mover=$(mover_of backup) || die "no mover came"
stop_up
[ "$took" -lt 10000 ] || die "kopiur up took $took ms to end"
kill -0 "$mover" 2>/dev/null || die "the mover ended with kopiur up: the story proves nothing"
[ -z "$(pgrep -f "nats-server -c $data/bus/server.conf" || true)" ] || die "nats-server lives on without kopiur up"
echo "ok: it ended after $took ms, the mover works on"
start_up
await 60 "the run was taken up again and has succeeded" is backup "$first" status.phase Succeeded
[ "$(field backup "$first" status.job.attempts)" = 1 ] || die "it took $(field backup "$first" status.job.attempts) attempts: the mover was not adopted"

echo more >"$home/source/changes" && head -c 250000000 /dev/urandom >"$home/source/data.bin"
second=$(ask_backup)
mover=$(mover_of backup "$(k get backup "$second" --field status.resolved.identity.username || true)") || die "no mover came"
stop_up
[ "$took" -lt 10000 ] || die "kopiur up took $took ms to end"
kill -TERM "$mover"
for n in $(seq 200); do kill -0 "$mover" 2>/dev/null || break; sleep 0.1; done
! kill -0 "$mover" 2>/dev/null || die "the mover did not end within 20 s of SIGTERM"
echo "ok: it ended after $took ms, and the mover was told to stop"
start_up
await 90 "the backup whose mover was stopped ends by itself" is backup "$second" status.phase Succeeded
each_once 2
echo "ok: two Backups, two snapshots"
