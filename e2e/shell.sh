# What the shell tests share. Source it; `die` is the test's own: it says what it leaves behind.

# quick_kopia: the story runs kopia as kopia's own integration tests do, where we have it: it takes 1 ms for the key of a repository, not 200 ms of a core
# each time that it opens one. A story that has said shipped_kopia=yes runs what we ship.
quick_kopia() { [ -n "${shipped_kopia:-}" ] || [ -z "${KOPIUR_QUICK_KOPIA:-}" ] || export KOPIUR_KOPIA=$KOPIUR_QUICK_KOPIA; }
# story_line: the line of the test itself, whatever called whatever, at which we are.
story_line() {
  local n
  for ((n = 1; n < ${#BASH_SOURCE[@]}; n++)); do [ "${BASH_SOURCE[n]}" != "$0" ] || { echo "${BASH_LINENO[n - 1]}"; return; }; done
  echo '?'
}
# await SECONDS WHAT COMMAND...: until the command succeeds, which finds $awaiting set. SECONDS are what a quiet machine may take at most; one that has
# other things to do gets three times as long. A long wait looks less often, once a second at last: each look costs processor time.
await() {
  local limit=$((3 * $1)) what=$2 from=$SECONDS pause; shift 2
  until awaiting=yes "$@" >/dev/null 2>&1; do
    [ $((SECONDS - from)) -lt "$limit" ] || die "$what: not within $limit s"
    pause=$((SECONDS - from < 2 ? 2 : SECONDS - from))
    sleep "$((pause < 10 ? 0 : 1)).$((pause < 10 ? pause : 0))"
  done
  echo "ok: $what ($((SECONDS - from)) s)"
}
# slots: of all Backups that a schedule has made, a line each. whole: of such lines on standard input none is missing, and none twice, minute by minute.
slots() { k get backups -o json | jq -r '.items[].metadata.annotations["kopiur.home-operations.com/slot"] // empty' | sort; }
whole() { date -u -f - +%s | awk 'NR > 1 && $1 != last + 60 {exit 1} {last = $1}'; }
# keep_running PIDFILE LOG COMMAND...: runs it, and again whenever it ends, as every supervisor does, until we are told to end. For the background: where
# it is told to end, so is what it runs.
keep_running() {
  local pidfile=$1 log=$2 one; shift 2
  trap 'kill -TERM "$one" 2>/dev/null; wait "$one" 2>/dev/null; exit 0' TERM
  trap - EXIT ERR
  set +e
  while :; do
    "$@" >>"$log" 2>&1 &
    one=$!
    echo "$one" >"$pidfile"
    wait "$one"
    sleep 0.5
  done
}
# start_bus FOLDER LOG [LINE]: a nats-server with JetStream on a port of the kernel's choice, its store in the folder, LINE in its configuration; its
# process in $bus, its URL in $url.
start_bus() {
  mkdir -p "$1"
  printf 'listen: "127.0.0.1:-1"\nports_file_dir: "%s"\njetstream { store_dir: "%s/store" }\nmax_payload: 4MB\n%s\n' "$1" "$1" "${3:-}" >"$1/conf"
  "$KOPIUR_NATS_SERVER" -c "$1/conf" >"$2" 2>&1 &
  bus=$!
  bus_is_there() { ls "$1"/*.ports; }
  await 10 "the bus is there" bus_is_there "$1"
  url=$(jq -r '.nats[0]' "$1"/*.ports)
}
