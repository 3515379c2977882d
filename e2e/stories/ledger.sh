# The database of ledger.py over two volumes, `ledger` and `wal`, for a story on one host or in a cluster. Source it after the story's
# library, and define `log` (the requests to the database), `entry` (the file of its last entry) and `group NAME` (the Backups of that
# group, one per line).
ledger=$root/e2e/stories/ledger.py

asked() { jq -r .what "$log" | paste -sd' '; }
# times WHAT: the number of its requests to freeze, or to thaw. more_than WHAT N: there were more than N.
times() { grep -c "\"$1\"" "$log" || true; }
more_than() { [ "$(times "$1")" -gt "$2" ]; }
goes_on() { local before; before=$(cat "$entry"); sleep 0.3; [ "$before" != "$(cat "$entry")" ]; }
over() { [[ "$(field backup "$1" status.phase)" =~ ^(Succeeded|Failed)$ ]]; }
# entry_of GROUP: prints the entry of the database that both restored snapshots hold; if they differ, prints why and returns 1.
entry_of() {
  local back=$home/back-$1 path id
  for path in ledger wal; do
    id=$(group "$1" | jq -r --arg path "/pvc/$path" 'select(.spec.sourcePath == $path).status.snapshot.kopiaSnapshotID')
    in_repository snapshot restore "$id" "$back/$path" || { echo "snapshot $id of $path cannot be restored"; return 1; }
  done
  python3 "$ledger" check "$back/ledger" "$back/wal" 2>&1
}
# thawed_entry [NTH]: prints the entry of the NTH thaw. Default: the first thaw after the last freeze; a repeated thaw has a later entry.
thawed_entry() {
  [ $# = 0 ] || { jq -r 'select(.what == "thaw").entry' "$log" | sed -n "$1p"; return; }
  jq -rs 'reduce .[] as $one ([]; if $one.what == "freeze" then . + [null] elif .[-1] == null then .[-1] = $one.entry else . end) | .[-1]' "$log"
}
# whole NAME SECONDS [NTH]: the Backup Succeeded, both volumes hold thawed_entry NTH, and the database writes again.
whole() {
  local saved
  await "$2" "$1 has ended" over "$1"
  is backup "$1" status.phase Succeeded || die "$1: $(field backup "$1" status.failure.message); $(group "$1" | jq -c '[.metadata.name, .status.failure.message]')"
  saved=$(entry_of "$1") || die "$1: $saved"
  [ "$saved" -gt 0 ] && [ "$saved" = "$(thawed_entry ${3:+"$3"})" ] || die "$1 is of entry $saved: $(cat "$log")"
  [ "$(jq -r .what "$log" | tail -1)" = thaw ] || die "it was frozen last: $(asked)"
  await 10 "and the database writes again" goes_on
}
# once_but WHAT FREEZES THAWS IN_HAND: after that many freezes and thaws, it was frozen once and thawed once. Only the step in progress when
# its caller died (freeze, thaw, or nothing) may have been repeated.
once_but() {
  local freezes=$(($(times freeze) - $2)) thaws=$(($(times thaw) - $3))
  [ "$freezes" -le $([ "$4" = freeze ] && echo 2 || echo 1) ] && [ "$thaws" -le $([ "$4" = thaw ] && echo 2 || echo 1) ] || die "$1: it was asked $(asked)"
  echo "ok: $1: frozen $freezes, let go $thaws, of one moment"
}
# torn NAME: the volumes of a Backup are of two moments. not_whole NAME: without hooks they have to be; otherwise the story could not fail.
torn() {
  local saved
  ! saved=$(entry_of "$1") && echo "ok: without hooks: $saved"
}
not_whole() { torn "$1" || die "without hooks it is of entry $(entry_of "$1"): this story could not fail"; }
