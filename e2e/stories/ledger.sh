# The database of ledger.py over two volumes, `ledger` and `wal`, for a story on one host or in a cluster. Source it after the story's library, and say
# `log` (what the database was asked), `entry` (the file of its last entry) and `group NAME` (the Backups of that group, a line each).
ledger=$root/e2e/stories/ledger.py

asked() { jq -r .what "$log" | paste -sd' '; }
# times WHAT: how often it was asked for a freeze, or a thaw. more_than WHAT N: that has come more often.
times() { grep -c "\"$1\"" "$log" || true; }
more_than() { [ "$(times "$1")" -gt "$2" ]; }
goes_on() { local before; before=$(cat "$entry"); sleep 0.3; [ "$before" != "$(cat "$entry")" ]; }
over() { [[ "$(field backup "$1" status.phase)" =~ ^(Succeeded|Failed)$ ]]; }
# entry_of GROUP: both snapshots, as kopia restores them, are of this entry of the database; else it says what is wrong, and ends with 1.
entry_of() {
  local back=$home/back-$1 path id
  for path in ledger wal; do
    id=$(group "$1" | jq -r --arg path "/pvc/$path" 'select(.spec.sourcePath == $path).status.snapshot.kopiaSnapshotID')
    in_repository snapshot restore "$id" "$back/$path" || { echo "snapshot $id of $path cannot be restored"; return 1; }
  done
  python3 "$ledger" check "$back/ledger" "$back/wal" 2>&1
}
# whole NAME SECONDS [NTH]: it Succeeded, both volumes are of the entry at which the database was let go for that time, or the last, and it writes again.
whole() {
  local saved
  await "$2" "$1 has ended" over "$1"
  is backup "$1" status.phase Succeeded || die "$1: $(field backup "$1" status.failure.message); $(group "$1" | jq -c '[.metadata.name, .status.failure.message]')"
  saved=$(entry_of "$1") || die "$1: $saved"
  [ "$saved" -gt 0 ] && [ "$saved" = "$(jq -r 'select(.what == "thaw").entry' "$log" | sed -n "${3:-$}p")" ] || die "$1 is of entry $saved: $(cat "$log")"
  [ "$(jq -r .what "$log" | tail -1)" = thaw ] || die "it was frozen last: $(asked)"
  await 10 "and the database writes again" goes_on
}
# once_but WHAT FREEZES THAWS IN_HAND: since there were so many of each, it was frozen once and let go once. Only what was in hand (freeze, thaw, or
# nothing) as its caller died may have been done once more.
once_but() {
  local freezes=$(($(times freeze) - $2)) thaws=$(($(times thaw) - $3))
  [ "$freezes" -le $([ "$4" = freeze ] && echo 2 || echo 1) ] && [ "$thaws" -le $([ "$4" = thaw ] && echo 2 || echo 1) ] || die "$1: it was asked $(asked)"
  echo "ok: $1: frozen $freezes, let go $thaws, of one moment"
}
# not_whole NAME: a Backup without hooks is of two moments, or the story could not fail.
not_whole() {
  local saved
  ! saved=$(entry_of "$1") || die "without hooks it is of entry $saved: this story could not fail"
  echo "ok: without hooks: $saved"
}
