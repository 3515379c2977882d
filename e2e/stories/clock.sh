#!/usr/bin/env bash
# The wall clock of kopiur (libfaketime, in the real program) steps an hour forward, back, and forward again. No slot of an each-minute
# schedule fires twice, none is lost except those reported as missed, and running work ends well.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fake=$(ls /usr/lib/*/faketime/libfaketime.so.1 2>/dev/null | head -1)
[ -n "$fake" ] || die "libfaketime is not installed: ./dev setup installs Debian's package faketime"
plain_manifests
schedule each-minute '* * * * *' 'concurrencyPolicy: Allow' >"$home/manifests/schedule.yaml"
offset=0
# step SECONDS: sets how far kopiur's clock is ahead of the machine's.
step() { offset=$1; printf '%+d\n' "$offset" >"$home/clock.new" && mv "$home/clock.new" "$home/clock"; }
its_now() { echo $(($(date +%s) + offset)); }
# near_slot: waits until 3 s before the next full minute.
near_slot() { local now; now=$(its_now); step $((offset + 57 - now % 60)); }
has_slots() { [ "$(slots | wc -l)" -ge "$1" ]; }
has_exactly() { [ "$(slots | wc -l)" = "$1" ] || die "$2: there should be $1 slots, and there are: $(slots)"; }
all_over() { [ -z "$(k get backups -o json | jq -r '.items[].status.phase' | grep -vx Succeeded)" ]; }
told() { jq -c "select(.service == \"scheduler\")" "$data/kopiur.log"; }

step $((65 - $(date +%s) % 60))  # start early in a minute: no slot may be due before the story wants one
export LD_PRELOAD=$fake FAKETIME_TIMESTAMP_FILE=$home/clock FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1
start_up
unset LD_PRELOAD
await 60 "the repository is Ready" is repository main status.phase Ready
near_slot
await 20 "the first slot has fired" has_slots 1
before=$(slots | wc -l)

running=$(ask_backup)
step $((offset + 3600))
await 20 "an hour ahead: the newest of the missed slots has fired" has_slots $((before + 1))
await 30 "the backup over which the clock leapt has succeeded" is backup "$running" status.phase Succeeded
sleep 2
has_exactly $((before + 1)) "an hour ahead"
missed=$(k get schedules -o json | jq -r '.items[0].status.conditions[]? | .message' | grep -oE '[0-9]+ slots' | head -1)
[ "$missed" = "59 slots" ] || die "of the hour it told as missed: ${missed:-nothing}"
echo "ok: it fired once; told as missed: $missed"

running=$(ask_backup)
step $((offset - 3600))
await 30 "the backup over which the clock went back has succeeded" is backup "$running" status.phase Succeeded
near_slot
sleep 6
has_exactly $((before + 1)) "back again: what was fired and told as missed is settled"
step $((offset + 3600)) && near_slot
await 20 "where it had been: the slot that passed meanwhile has fired, and the next one" has_slots $((before + 3))
await 30 "all Backups have succeeded" all_over
[ -z "$(slots | uniq -d)" ] || die "a slot fired twice: $(slots | uniq -d)"
each_once $(($(slots | wc -l) + 2))
echo "ok: $(slots | wc -l) slots, each fired once"
