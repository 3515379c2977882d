#!/usr/bin/env bash
# An unmounted disk: its scheduled backups are held, shown in red, and displace no good one; a restore uses the last good one. After a user
# accepts the smaller size, the next backups succeed again. (Trials, T1.)
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
mkdir -p "$home/manifests" "$home/source"
for i in $(seq 30); do echo "letter $i" >"$home/source/letter-$i"; done
{ secret password a-story; repository main "$home/repository"; volume source "$home/source"; recipe docs; printf '  retention: {keepLatest: 2}\n'; } >"$home/manifests/all.yaml"
start_up
await 30 "the repository is Ready" is repository main status.phase Ready
slot() {  # slot NAME PHASE: creates a schedule that fires at once; its Backup must reach that phase
  schedule "$1" '0 0 1 1 *' 'runOnCreate: true' >"$home/manifests/schedule.yaml"
  phase_of() { k get backups -o json | jq -e --arg of "$1" --arg phase "$2" '[.items[] | select(.metadata.labels["kopiur.home-operations.com/backup-schedule"] == $of and .status.phase == $phase)] | length == 1' >/dev/null; }
  await 30 "the slot of $1 is $2" phase_of "$1" "$2"
}
held() { k get backups -o json | jq -r '.items | map(select(.status.phase == "Held")) | sort_by(.status.timing.endTime) | .[].metadata.name'; }
# restored_elsewhere FILES SAID: the host is lost, and another one has only the manifests and the repository.
restored_elsewhere() {
  stop_up && rm -f "$home/manifests/schedule.yaml" && mv "$data" "$home/lost" && start_up
  await 30 "the repository is Ready on another host" is repository main status.phase Ready
  k restore --config docs --name back --to back --wait >"$home/said" || die "not restored: $(cat "$home/said")"
  [ "$(find "$data/volumes/default/back" -type f | wc -l)" = "$1" ] || die "another host restores another snapshot: $(ready_condition restore back message)"
  says "$(ready_condition restore back message)" "$2"
  stop_up && rm -rf "$data" && mv "$home/lost" "$data" && start_up
  await 30 "this host is up again" is repository main status.phase Ready
}
slot first Succeeded
good=$(snapshots)

find "$home/source" -type f -delete
for each in second third fourth fifth; do slot "$each" Held; done
three() { [ "$(held | wc -l)" = 3 ]; }
await 30 "three held ones stay" three
kept "$good" || die "the good snapshot was deleted"
! k status >"$home/status" || die "status ends with 0"
says "$(cat "$home/status")" BAD "holds 0 files, 0 bytes, and the one before it, $good, 30 files" "less than 50 %" "Is the volume mounted" "kopiur accept"
is config docs status.lastSuccessfulBackup.backupRef "$(k get backups -o json | jq -r '.items[] | select(.status.phase == "Succeeded").metadata.name')" || die "the last success is another one"

k restore --config docs --to back --wait >"$home/said" || die "not restored: $(cat "$home/said")"
[ "$(find "$data/volumes/default/back" -type f | wc -l)" = 30 ] || die "not the good snapshot was restored"
k restore --backup "$(held | tail -1)" --to empty --wait >"$home/said" || die "the held one is not restored by its name: $(cat "$home/said")"

restored_elsewhere 30 "It is not the newest: "

# The smaller size is right: it is accepted, and stays accepted over a restart.
last=$(held | tail -1)
! k accept "$(k get backups -o json | jq -r '.items[] | select(.status.phase == "Succeeded").metadata.name')" 2>"$home/said" || die "it accepts what is not held"
says "$(cat "$home/said")" "is not held"
k accept "$last" >"$home/said"
says "$(cat "$home/said")" "accepted with 0 files, where there were 30"
await 30 "it is a success" is backup "$last" status.phase Succeeded
slot sixth Succeeded
stop_up && start_up
await 30 "it is still a success after a restart" is backup "$last" status.phase Succeeded
restored_elsewhere 0 "The volume holds the snapshot's files."
# Growth, and Backups that are still held, are reported correctly.
echo one >"$home/source/letter"
name=$(backup_now) && is backup "$name" status.phase Succeeded || die "a source that grew is held"
[ "$(held | wc -l)" -ge 1 ] || die "nothing is held any more"
echo "ok: held, displaced nothing, accepted"
