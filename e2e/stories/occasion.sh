#!/usr/bin/env bash
# A database over two volumes that never stops writing. Hooks freeze it once for both volumes, and thaw it once after both were read. The
# restored data is of one moment; without hooks it is not. The same holds when kopiur, its bus or a mover is killed at each step, and when
# the bus loses everything. If one volume is missing, the other is saved a minute later, and the late one reports what it missed.
slow_kopia=yes  # leaves time to catch a mover at work
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$root/e2e/stories/ledger.sh"
log=$home/asked entry=$home/ledger/entry
mkdir -p "$home/manifests" && touch "$log"
python3 "$ledger" run "$home/ledger" "$home/wal" "$home/port" "$log" &
background+=($!)
await 30 "the database writes" test -s "$home/port"
at=http://127.0.0.1:$(cat "$home/port")

# of_both NAME CLAIM: a BackupConfig for the volume wal and CLAIM.
of_both() { recipe "$1" | sed "s/sources: .*/sources: [{pvc: {name: wal}}, {pvc: {name: $2}}]/"; }
hooks() { printf '  hooks:\n    beforeSnapshot: [{httpRequest: {url: "%s/freeze", timeout: 10s}}]\n    afterSnapshot: [{httpRequest: {url: "%s/thaw", timeout: 10s}}]\n' "$at" "$at"; }
{
  secret password a-story; repository main "$home/repository"; volume ledger "$home/ledger"; volume wal "$home/wal"
  of_both db ledger; hooks; of_both torn ledger; of_both late later; hooks
} >"$home/manifests/all.yaml"
start_up
await 60 "the repository is Ready" is repository main status.phase Ready

group() { k get backups -o json | jq -c --arg group "$1" '.items[] | select(.metadata.labels["kopiur.home-operations.com/group"] == $group)'; }

parent=$(ask_backup db)
whole "$parent" 150
[ "$(asked)" = "freeze thaw" ] || die "it was asked: $(asked)"
for each in SourcesQuiesced HooksSucceeded; do
  [ "$(group "$parent" | jq -r --arg type "$each" '.status.conditions[] | select(.type == $type).status' | sort -u)" = True ] || die "not both say $each"
done
for try in 1 2 3 4 5; do  # two movers may happen to read at one moment, but not each time
  plain=$(ask_backup torn)
  await 60 "a Backup without hooks Succeeded" is backup "$plain" status.phase Succeeded
  ! torn "$plain" || break
  [ "$try" != 5 ] || not_whole "$plain"
done

# round WHAT WHO STEP: a Backup during which WHO is killed once STEP has come.
round() {
  local what=$1 who=$2 step=$3 freezes thaws victim=''
  freezes=$(times freeze) thaws=$(times thaw)
  parent=$(ask_backup db)
  case $step in
    freeze) await 30 "$what: it is being frozen" more_than freeze "$freezes" ;;
    read) victim=$(mover_of backup) || die "$what: no mover runs" ;;
    thaw) await 60 "$what: it is being let go" more_than thaw "$thaws" ;;
  esac
  case $who in
    kopiur) kill_up && start_up ;;
    bus) kill -9 "$(bus_pid)" ;;
    mover) kill -9 "$victim" ;;
  esac
  await 60 "$what: kopiur answers" k get repositories
  whole "$parent" 150
  once_but "$what" "$freezes" "$thaws" "$([ "$who" != kopiur ] || echo "$step")"
}
round "kopiur killed while it freezes" kopiur freeze
round "kopiur killed while a volume is read" kopiur read
round "kopiur killed while it is let go" kopiur thaw
round "the bus killed while a volume is read" bus read
round "a mover killed while it reads" mover read

# The bus loses everything while both volumes are read: the runs are created again, and find what the movers save.
thaws=$(times thaw)
parent=$(ask_backup db)
mover_of backup >/dev/null || die "the bus lost: no mover runs"
kill_up && kill -9 "$(bus_pid)"
rm -rf "$data/bus/store"
start_up
await 60 "the bus lost: kopiur answers" k get repositories
whole "$parent" 150 $((thaws + 1))

freezes=$(times freeze) begun=$SECONDS
parent=$(ask_backup late)
await 150 "the Backup of a volume that does not exist has ended" over "$parent"
[ $((SECONDS - begun)) -ge 55 ] || die "it waited only $((SECONDS - begun)) s for the other one"
[ "$(times freeze)" = $((freezes + 1)) ] || die "it was frozen $(($(times freeze) - freezes)) times"
[ "$(group "$parent" | jq -r '"\(.spec.sourcePath) \(.status.phase) \(.status.failure.class // "")"' | sort | paste -sd,)" = "/pvc/later Failed MissedOccasion,/pvc/wal Succeeded " ] || die "they are: $(group "$parent" | jq -c '[.spec.sourcePath, .status.phase, .status.failure]')"
says "$(group "$parent" | jq -r 'select(.spec.sourcePath == "/pvc/later").status.failure.message')" "a minute after the first of them was ready" "default/later"
await 10 "and the database writes again" goes_on
