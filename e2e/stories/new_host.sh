#!/usr/bin/env bash
# Deploy-or-restore on a new host over a repository that others have filled: 300 foreign snapshots, and the history of one of our sources.
# Under every bound of the catalog a Restore that may leave its volume empty restores the newest bytes without any Backup object. That
# includes a snapshot that another host saved a moment before.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
mkdir -p "$home/others" "$home/manifests" "$home/source"
for i in $(seq 300); do mkdir "$home/others/$i" && echo "$i" >"$home/others/$i/file"; done
other_host() { KOPIA_PASSWORD=a-story "$kopia" --config-file "$home/other.config" "$@" >>"$home/other.txt" 2>&1 || die "kopia $1 $2 failed: $(tail -3 "$home/other.txt")"; }
# saves TEXT: another host saves this under the identity of our BackupConfig.
saves() { echo "$1" >"$home/source/letter" && other_host snapshot create "$home/source" --override-source docs@default:/pvc/source; }
other_host repository create filesystem --path "$home/repository" --cache-directory "$home/other-cache"
other_host snapshot create "$home"/others/*
saves first
sleep 1.1 && before=$(date -u +%FT%TZ) && sleep 1.1  # whole seconds: `first` had ended by then, and `second` begins later
saves second

# restores NAME TEXT [WHICH]: a Restore that may leave its new claim empty restores TEXT.
restores() {
  restore_soon "$1" 'onMissingSnapshot: Continue' "${3:-}" >"$home/$1.yaml" && k apply -f "$home/$1.yaml" >/dev/null
  await 30 "$1 is Completed" is restore "$1" status.phase Completed
  [ "$(cat "$data/volumes/default/$1/letter" 2>/dev/null)" = "$2" ] || die "$1 gave back \"$(cat "$data/volumes/default/$1/letter" 2>/dev/null)\" and not \"$2\": $(ready_condition restore "$1" message)"
}
n=0
for bound in '{}' '{retain: {perIdentity: 0}}' '{retain: {perIdentity: 1}}' '{retain: {maxAgeDays: 1}}'; do
  data=$home/host-$((n += 1))
  { secret password a-story; repository main "$home/repository"; echo "  catalog: $bound"; volume source "$home/source"; recipe docs; } >"$home/manifests/all.yaml"
  start_up
  await 30 "kopiur answers" k get repositories
  restores newest "$(cat "$home/source/letter")"
  saves "another's, $n"
  restores newer "another's, $n"
  restores older first "asOf: \"$before\""
  stop_up
done
[ "$(in_repository snapshot list --all --json | jq length)" = 306 ] || die "the repository holds $(in_repository snapshot list --all --json | jq length) snapshots, and 306 were saved"
echo "ok: under $n bounds the newest bytes came back, and nothing was deleted"
