#!/usr/bin/env bash
# Today's program starts on the state of the baseline, which was killed at work (upgrade/README.md): objects, bus, repository. Each slot has
# fired once, each run has one snapshot, all open runs end, a waiter for a lease gets it, and the Restore writes the right bytes. The 100
# old Backups are known, can be restored and deleted, and follow a new retention. kopiur's clock continues where the baseline was killed
# (libfaketime), whatever the date.
source "$(dirname "${BASH_SOURCE[0]}")/upgrade/place.sh"
here=$root/e2e/stories/upgrade
fake=$(ls /usr/lib/*/faketime/libfaketime.so.1 2>/dev/null | head -1)
[ -n "$fake" ] || die "libfaketime is not installed: ./dev setup installs Debian's package faketime"
KOPIUR_NATS_SERVER=${KOPIUR_NATS_SERVER:-$(command -v nats-server || true)}
[ -x "$KOPIUR_NATS_SERVER" ] || die "nats-server is neither at KOPIUR_NATS_SERVER nor on PATH; ./dev setup builds it"
tar -xJf "$here/fixture.tar.xz" -C "$home"
start_bus "$data/bus" "$home/bus.log"
background=("$bus")
echo "after the upgrade" >"$home/source/text"
python3 "$here/bus.py" load "$url" "$home/bus.jsonl" || die "the messages of the baseline could not be loaded"
background=()
kill -TERM "$bus" && wait "$bus" || true
rm -f "$data"/bus/conf "$data"/bus/*.ports
state() { jq -r "$@" "$home/state.json"; }
saved=$(state .saved) told=$(state .told) behind=$(state .behind) last=$(state .last) doomed=$(state .doomed)
was=$(state .at)

# Down over one slot: today's program starts 5 s after the next full minute.
step() { offset=$1; printf '%+d\n' "$offset" >"$home/clock.new" && mv "$home/clock.new" "$home/clock"; }
step $((was / 60 * 60 + 65 - $(date +%s)))
export LD_PRELOAD=$fake FAKETIME_TIMESTAMP_FILE=$home/clock FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1
start_up --verbose
unset LD_PRELOAD
await 60 "today's program is up" k get repositories
slots_of() { slots | awk -v of="$1" '$1 == of {print $2}'; }
before=$(state '[.backups[] | select(.name | startswith("each-minute-"))] | length')
minutes() { [ "$(slots_of each-minute | wc -l)" -ge "$1" ]; }
await 60 "the slot of the time when all was down has fired" minutes $((before + 1))
await 60 "the Restore into a claim of its own is Completed" is restore flight status.phase Completed
[ "$(cat "$data/volumes/default/fresh/text")" = "$(state ".text[\"$doomed\"]")" ] || die "the Restore gave back: $(cat "$data/volumes/default/fresh/text")"
await 60 "the one into a claim that was there has ended" is restore blind status.phase Failed
[ "$(ready_condition restore blind reason) $(field restore blind status.execution.attempt)" = "Unknown 1" ] || die "it was tried again, or says $(ready_condition restore blind reason)"
await 60 "the Backup that waited for that claim has Succeeded" is backup "$behind" status.phase Succeeded
# A waiter keeps its place in the queue: the events of that lease begin with its holder and one waiter (possibly repeated), and continue
# with the grant.
turn=$(jq -c 'select((.event | startswith("lease.")) and .event != "lease.renewed.v1" and (.key | startswith("claim/") and endswith("/back"))) | [.event, .holders, .waiters]' "$data/kopiur.log" |
  grep -vxF '["lease.queued.v1",1,1]' | head -2 | tr -d '\n')
[ "$turn" = '["lease.released.v1",0,1]["lease.granted.v1",1,0]' ] || die "the queue for the lease was lost: $turn"
await 60 "the Backup that waited for a place in the repository has Succeeded" is backup "$last" status.phase Succeeded
await 60 "the Backup that the Restore read, deleted meanwhile, goes" gone backup "$doomed"
maintained() { [ -n "$(field maintenance main status.quick.lastSuccessAt)" ]; }
await 60 "the Maintenance that was at work has ended well" maintained
# maintenance-lease reported the owner of a repository in a fragment of its own. One that a version before wrote is withdrawn, or the
# gateway would assert it without end.
fragment=kopiur.v1.status.local.Maintenance.default.main.maintenance-lease
publish $fragment "{\"uid\":\"$(k get maintenance main -o json | jq -r .metadata.uid)\",\"status\":{\"ownership\":{\"owner\":\"old\"}}}"
withdrawn() {
  local body
  body=$(python3 "$here/bus.py" last "$data/bus/access.json" $fragment) && [ -z "$body" ]
}
await 30 "the fragment of maintenance-lease is withdrawn" withdrawn
is_ours() { [ "$(field maintenance main status.ownership.owner)" = "$(field repository main status.uniqueID | sed 's/^/kopiur@/')" ]; }
await 30 "the Maintenance names its owner" is_ours
open() { listed 'select(.status.phase != "Succeeded") | [.metadata.name, .status.phase] | join(" ")'; }
all_over() { [ -z "$(open)" ]; }
await 60 "each Backup that was open has Succeeded" all_over
step $((offset + 57 - ($(date +%s) + offset) % 60))
await 60 "the next slot has fired" minutes $((before + 2))
await 60 "all have Succeeded" all_over

# No slot twice, none lost; no run twice.
rm "$home/manifests/schedules.yaml"
[ -z "$(slots | uniq -d)" ] || die "a slot fired twice: $(slots | uniq -d)"
[ "$(slots_of yearly | wc -l)" = 1 ] || die "the yearly schedule has fired again: $(slots_of yearly)"
slots_of each-minute | whole || die "between the first and the last minute a slot is missing: $(slots_of each-minute)"
await 60 "all have Succeeded" all_over
each_once "$(listed .metadata.name | wc -l)"
known() { k get backups -o json | jq -S '[.items[] | {key: .metadata.name, value: {uid: .metadata.uid, snapshot: .status.snapshot.kopiaSnapshotID}}] | from_entries'; }
state -S --arg gone "$doomed" '[.backups[] | select(.phase == "Succeeded" and .name != $gone) | {key: .name, value: {uid, snapshot}}] | from_entries' >"$home/old"
known | jq -S --slurpfile old "$home/old" 'with_entries(select(.key | in($old[0])))' >"$home/now"
diff "$home/old" "$home/now" >&2 || die "the old Backups are not those of before"
[ "$(jq length "$home/old")" -ge 100 ] || die "there are only $(jq length "$home/old") old ones"
for each in $saved $told; do [ -n "$(jq -r ".[\"$each\"].snapshot" <(known))" ] || die "$each has no snapshot"; done
[ "$(k cat "$saved" text)" = "saved, and not told" ] || die "$saved was not taken up from its snapshot, but done again"
[ "$(k cat "$told" text)" = "at work" ] || die "the result of $told was not taken, it was done again"
echo "ok: $(slots | wc -l) slots, each fired once; $(jq length "$home/old") old Backups and $(state '[.backups[] | select(.phase != "Succeeded")] | length') open ones, each with its one snapshot"

# Old Backups are restored, deleted, and follow a new retention.
day() { listed "select($origin == \"imported\") | .metadata.name" | sort -r | sed -n "$1p"; }
k restore --backup "$(day 30)" --name old --to old >>"$home/asked" 2>&1
await 60 "an old Backup is restored" is restore old status.phase Completed
[ "$(cat "$data/volumes/default/old/text")" = "day 30" ] || die "it gave back: $(cat "$data/volumes/default/old/text")"
removed=$(state '.text | keys_unsorted[2]')
removed_id=$(jq -r ".[\"$removed\"].snapshot" "$home/old")
kept "$removed_id" || die "the snapshot of $removed is not there"
k delete backup "$removed" >>"$home/asked" 2>&1
await 60 "an old Backup is deleted" gone backup "$removed"
! kept "$removed_id" || die "its snapshot is still there"
sed '/name: docs,/,/sources:/ s/^  sources:/  retention: {keepDaily: 50}\n&/' "$home/manifests/all.yaml" >"$home/all.yaml" && mv "$home/all.yaml" "$home/manifests/all.yaml"
days() { listed "select($origin == \"imported\") | .metadata.name" | wc -l; }
few() { [ "$(days)" = 49 ]; }
await 120 "by a new retention 49 of the 60 old days stay, beside today" few
[ "$(k cat "$(day 49)" text)" = "day 49" ] || die "the oldest that is left is not the 49th: $(k cat "$(day 49)" text)"
just() { [ "$(snapshots | wc -l)" = "$(listed .metadata.name | wc -l)" ]; }
await 60 "and their snapshots" just
each_once "$(listed .metadata.name | wc -l)"
[ "$(k bus dlq -o json | jq length)" = 0 ] || die "there are dead letters: $(k bus dlq)"
echo "ok: old Backups are restored, deleted and pruned as if they were ours"
