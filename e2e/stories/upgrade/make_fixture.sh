#!/usr/bin/env bash
# Creates fixture.tar.xz: the state that `kopiur up` of the baseline leaves when it is killed at work (README.md describes it). Needs the
# parts that ./dev setup installs.
# make_fixture.sh [COMMIT]. KOPIUR_BASELINE_BIN: programs of the baseline that exist already.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ -z "${KOPIUR_BASELINE_BIN:-}" ]; then
  tree=$("$here/baseline.sh" "$@") || exit
  export KOPIUR_BASELINE_BIN=$tree/build/release/bin
fi
export KOPIUR_BIN=$KOPIUR_BASELINE_BIN KOPIUR_STORY_LIMIT=${KOPIUR_STORY_LIMIT:-1800}
source "$here/place.sh"

# A kopia that hangs as the file `hang` says: before it starts, after its work and before it reports, or until the file `go` exists.
ln -s "$(command -v sleep)" "$home/hangs"
cat >"$home/kopia" <<TEXT
#!/bin/sh
when=\$(cat $home/hang 2>/dev/null)
case "\$when \$*" in
  before*" snapshot create "* | before*" maintenance run "*) exec $home/hangs 3000 ;;
  after*" snapshot create "* | before*" restore "*) $kopia "\$@" >/dev/null; exec $home/hangs 3000 ;;
  later*" snapshot create "*) while [ ! -e $home/go ]; do sleep 0.1; done ;;
esac
exec $kopia "\$@"
TEXT
chmod +x "$home/kopia"
export KOPIUR_KOPIA=$home/kopia

mkdir -p "$home/manifests" "$home/source"
{
  secret password a-story
  repository main "$home/repository"
  volume source "$home/source"
  recipe docs
  empty_claim back
  recipe backs main back
  printf -- '---\napiVersion: kopiur.home-operations.com/v1alpha1\nkind: Maintenance\nmetadata: {name: main, namespace: default}\nspec: {repository: {name: main}}\n'
} >"$home/manifests/all.yaml"
write() { echo "$1" >"$home/source/text"; }
write "the first"
start_up
await 150 "the repository is Ready" is repository main status.phase Ready
{ schedule each-minute '* * * * *' 'concurrencyPolicy: Allow'; schedule yearly '0 0 1 1 *' 'runOnCreate: true'; } >"$home/manifests/schedules.yaml"

# 100 old Backups: 60 imported, one a day; 40 by hand; and those of the schedules.
arguments=() today=$(date +%s)
for n in $(seq 60); do
  mkdir -p "$home/history/$n" && echo "day $n" >"$home/history/$n/text"
  arguments+=(--at "$(date -u -d "@$((today - n * 86400))" +%Y-%m-%dT12:00:00Z)" --from "$home/history/$n")
done
k import --config docs "${arguments[@]}" >>"$home/waits.txt" 2>&1 || die "the history was not imported: $(tail -3 "$home/waits.txt")"
: >"$home/by-hand"
for n in $(seq 40); do
  write "by hand $n"
  echo "$(backup_now) by hand $n" >>"$home/by-hand"
done
succeeded() { [ "$(listed "select(.status.phase == \"Succeeded\" and $origin == \"$1\") | 1" | wc -l)" -ge "$2" ]; }
await 150 "the history is imported" succeeded imported 60
await 150 "there are 40 by hand" succeeded manual 40
await 150 "the schedules have fired" succeeded scheduled 3
each_old=$(listed .metadata.name | wc -l)
each_once "$each_old"
in_repository maintenance run --full --force --safety=none >>"$home/waits.txt" || die "the repository was not made small"
each_once "$each_old"
echo "ok: $each_old Backups, $(du -sb "$home/repository" | cut -f1) bytes"

# Open work at the kill. It begins early in a minute, so that the next slot is one of its parts and the one after it comes while all is
# down.
quiet() { [ -z "$(listed .status.phase | grep -vx Succeeded)" ]; }
seconds=$(date +%-S)
[ "$seconds" -lt 15 ] || [ "$seconds" -gt 57 ] || sleep $((62 - seconds))
await 150 "all Backups have ended" quiet
hangs() { [ "$(pgrep -fc "^$home/hangs")" = "$1" ]; }

write "saved, and not told"
echo after >"$home/hang"
saved=$(ask_backup)
await 150 "a Backup has its snapshot, and its mover has not heard of it" hangs 1
echo later >"$home/hang"
told_later=$(ask_backup)
await 150 "a mover waits" is backup "$told_later" status.phase Running
waits_in_kopia() { pgrep -f "^/bin/sh $home/kopia snapshot create"; }
await 150 "in its kopia" waits_in_kopia

echo before >"$home/hang"
write "at work"
doomed=$(sed -n '7s/ .*//p' "$home/by-hand")
k restore --backup "$doomed" --name flight --to fresh >>"$home/waits.txt" 2>&1
await 150 "a Restore has written into a claim of its own, and its mover has not heard of it" hangs 2
k restore --backup "$doomed" --name blind --to back --existing >>"$home/waits.txt" 2>&1
await 150 "and one into a claim that was there" hangs 3
behind=$(ask_backup backs)
k delete backup "$doomed" >>"$home/waits.txt" 2>&1
in_use() { [ "$(ready_condition backup "$doomed" reason)" = InUseByRestore ]; }
await 150 "the Backup that it reads is deleted, and waits" in_use
publish kopiur.v1.req.local.default.maintenance '{"id":"a-maintenance","maintenance":"main"}'
await 150 "a Maintenance is at work" hangs 4
scheduled=$(slots | wc -l)
one_more_slot() { [ "$(slots | wc -l)" -gt "$scheduled" ]; }
await 150 "a slot has fired" one_more_slot
await 150 "its Backup is at work" hangs 5
# Three more take the last of the repository's eight places: the ninth waits.
for n in 6 7 8; do ask_backup >>"$home/waits.txt" && await 150 "one more is at work" hangs "$n"; done
last=$(ask_backup)
waits() { [ "$(field backup "$1" status.phase)" = Pending ] && ready_condition backup "$1" message | grep -q "$2"; }
await 150 "one waits for a place in the repository" waits "$last" "repo"
await 150 "one waits for the volume that the Restore writes into" waits "$behind" "claim"

# Down for less than a minute (a waiter is remembered for that long), and yet over the next slot.
until [ "$(date +%-S)" -ge 45 ]; do sleep 0.5; done
date +%s >"$home/at"
k get backups -o json >"$home/backups.json"
kill_up
touch "$home/go"
result_came() { [ -n "$(find "$data/jobs" -name result.json -newer "$home/go")" ]; }
await 150 "a mover has ended, and nobody has heard of it" result_came
mapfile -t movers < <(pgrep -f "^[^ ]*kopiur-mover $data/jobs/")
kill -9 "${movers[@]}" || true  # one may have ended meanwhile
pkill -9 -f "^$home/hangs" || true
for each in fresh back; do printf 'half of' >"$data/volumes/default/$each/text"; done

# The facts that the story needs.
jq --rawfile at "$home/at" --rawfile hands "$home/by-hand" --arg saved "$saved" --arg told "$told_later" --arg behind "$behind" --arg last "$last" --arg doomed "$doomed" '{
  at: ($at | tonumber), saved: $saved, told: $told, behind: $behind, last: $last, doomed: $doomed,
  text: ($hands | split("\n") | map(select(. != "") | capture("^(?<key>[^ ]+) (?<value>.*)$")) | from_entries),
  backups: [.items[] | {name: .metadata.name, uid: .metadata.uid, phase: .status.phase, snapshot: .status.snapshot.kopiaSnapshotID}]
}' "$home/backups.json" >"$home/state.json"

start_bus "$data/bus" "$home/bus.log"
background+=("$bus")
python3 "$here/bus.py" dump "$url" "$home/bus.jsonl"
# waiters KEY: the number of waiters for such a lease.
waiters() { jq -s "[.[] | select(.subject // \"\" | startswith(\"kopiur.v1.lease.$1\"))] | group_by(.subject) | map(.[-1].body | fromjson | .. | .waiters? // empty | length) | add" "$home/bus.jsonl"; }
for key in repo claim; do [ "$(waiters "$key")" -ge 1 ] || die "nobody waits for a lease of $key: $(waiters "$key")"; done

rm -rf "$home/repository/_"  # kopia's own logs
tar -C "$home" --sort=name --owner=0 --group=0 --numeric-owner --exclude=data/bus --exclude=data/cache --exclude=data/kopiur.log --exclude=data/http \
  -c data repository source manifests bus.jsonl state.json | xz -9e >"$home/fixture"
size=$(stat -c %s "$home/fixture")
[ "$size" -le 1048576 ] || die "the fixture has $size bytes"
cp "$home/fixture" "$here/fixture.tar.xz"
echo "ok: fixture.tar.xz, $size bytes"
