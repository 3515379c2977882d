#!/usr/bin/env bash
# A database over two volumes that never stops writing: hooks freeze it once for both, and let it go once, after the last of them was read; what comes
# back is of one moment, and without hooks it is not. kopiur, its bus and a mover are killed at each step: the same. Of two volumes one is missing: the
# other is saved a minute later, and the late one says what it missed.
slow_kopia=yes  # with it there is time to catch a mover at work
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
ledger=$root/e2e/stories/ledger.py log=$home/asked
mkdir -p "$home/manifests" && touch "$log"
python3 "$ledger" run "$home/ledger" "$home/wal" "$home/port" "$log" &
background+=($!)
await 30 "the database writes" test -s "$home/port"
at=http://127.0.0.1:$(cat "$home/port")

# of_both NAME CLAIM: a recipe for the volume wal and that one.
of_both() { recipe "$1" | sed "s/sources: .*/sources: [{pvc: {name: wal}}, {pvc: {name: $2}}]/"; }
hooks() { printf '  hooks:\n    beforeSnapshot: [{httpRequest: {url: "%s/freeze", timeout: 10s}}]\n    afterSnapshot: [{httpRequest: {url: "%s/thaw", timeout: 10s}}]\n' "$at" "$at"; }
{
  secret password a-story; repository main "$home/repository"; volume ledger "$home/ledger"; volume wal "$home/wal"
  of_both db ledger; hooks; of_both torn ledger; of_both late later; hooks
} >"$home/manifests/all.yaml"
start_up
await 60 "the repository is Ready" is repository main status.phase Ready

asked() { jq -r .what "$log" | paste -sd' '; }
times() { grep -c "\"$1\"" "$log" || true; }
group() { k get backups -o json | jq -c --arg group "$1" '.items[] | select(.metadata.labels["kopiur.home-operations.com/group"] == $group)'; }
# entry_of GROUP: both snapshots, as kopia restores them, are of this entry of the database; else it says what is wrong, and ends with 1.
entry_of() {
  local back=$home/back-$1 path id
  for path in ledger wal; do
    id=$(group "$1" | jq -r --arg path "/pvc/$path" 'select(.spec.sourcePath == $path).status.snapshot.kopiaSnapshotID')
    in_repository snapshot restore "$id" "$back/$path" || { echo "snapshot $id of $path cannot be restored"; return 1; }
  done
  python3 "$ledger" check "$back/ledger" "$back/wal" 2>&1
}
over() { [[ "$(field backup "$1" status.phase)" =~ ^(Succeeded|Failed)$ ]]; }
goes_on() { local before; before=$(cat "$home/ledger/entry"); sleep 0.3; [ "$before" != "$(cat "$home/ledger/entry")" ]; }
# whole NAME: it Succeeded, both volumes are of the entry at which the database was frozen last, and it writes again.
whole() {
  local entry
  await 150 "$1 has ended" over "$1"
  is backup "$1" status.phase Succeeded || die "$1: $(ready_condition backup "$1" message); $(group "$1" | jq -c '[.metadata.name, .status.failure.message]')"
  entry=$(entry_of "$1") || die "$1: $entry"
  [ "$entry" -gt 0 ] && [ "$entry" = "$(jq -r 'select(.what == "thaw").entry' "$log" | tail -1)" ] || die "$1 is of entry $entry: $(cat "$log")"
  [ "$(jq -r .what "$log" | tail -1)" = thaw ] || die "it was frozen last: $(asked)"
  await 10 "and the database writes again" goes_on
}

parent=$(ask_backup db)
whole "$parent"
[ "$(asked)" = "freeze thaw" ] || die "it was asked: $(asked)"
for each in SourcesQuiesced HooksSucceeded; do
  [ "$(group "$parent" | jq -r --arg type "$each" '.status.conditions[] | select(.type == $type).status' | sort -u)" = True ] || die "not both say $each"
done
torn=$(ask_backup torn)
await 60 "a Backup without hooks Succeeded" is backup "$torn" status.phase Succeeded
! entry=$(entry_of "$torn") || die "without hooks it is of entry $entry: this story could not fail"
echo "ok: frozen once, let go once, of one moment; without hooks: $entry"

# at_step WHAT COMMAND...: a Backup, in which that is done once the step has come.
frozen_times() { [ "$(times freeze)" -gt "$1" ]; }
thawed_times() { [ "$(times thaw)" -gt "$1" ]; }
round() {
  local what=$1 who=$2 step=$3 freezes thaws victim=''
  freezes=$(times freeze) thaws=$(times thaw)
  parent=$(ask_backup db)
  case $step in
    freeze) await 30 "$what: it is being frozen" frozen_times "$freezes" ;;
    read) victim=$(mover_of backup) || die "$what: no mover runs" ;;
    thaw) await 60 "$what: it is being let go" thawed_times "$thaws" ;;
  esac
  case $who in
    kopiur) kill_up && start_up ;;
    bus) kill -9 "$(bus_pid)" ;;
    mover) kill -9 "$victim" ;;
  esac
  await 60 "$what: kopiur answers" k get repositories
  whole "$parent"
  freezes=$(($(times freeze) - freezes)) thaws=$(($(times thaw) - thaws))
  # Only what was in hand when its caller died may be done once more.
  [ "$freezes" -le $([ "$who/$step" = kopiur/freeze ] && echo 2 || echo 1) ] && [ "$thaws" -le $([ "$who/$step" = kopiur/thaw ] && echo 2 || echo 1) ] || die "$what: it was asked $(asked)"
  echo "ok: $what: frozen $freezes, let go $thaws, of one moment"
}
round "kopiur killed while it freezes" kopiur freeze
round "kopiur killed while a volume is read" kopiur read
round "kopiur killed while it is let go" kopiur thaw
round "the bus killed while a volume is read" bus read
round "a mover killed while it reads" mover read

freezes=$(times freeze) begun=$SECONDS
parent=$(ask_backup late)
await 150 "the Backup of a volume that is not there has ended" over "$parent"
[ $((SECONDS - begun)) -ge 55 ] || die "it waited only $((SECONDS - begun)) s for the other one"
[ "$(times freeze)" = $((freezes + 1)) ] || die "it was frozen $(($(times freeze) - freezes)) times"
[ "$(group "$parent" | jq -r '"\(.spec.sourcePath) \(.status.phase) \(.status.failure.class // "")"' | sort | paste -sd,)" = "/pvc/later Failed MissedOccasion,/pvc/wal Succeeded " ] || die "they are: $(group "$parent" | jq -c '[.spec.sourcePath, .status.phase, .status.failure]')"
says "$(group "$parent" | jq -r 'select(.spec.sourcePath == "/pvc/later").status.failure.message')" "a minute after the first of them was ready" "default/later"
await 10 "and the database writes again" goes_on
