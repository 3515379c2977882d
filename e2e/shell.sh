# Functions shared by the shell tests. Source it. Each test defines `die`, which prints the message and shows what the test leaves behind.

# quick_kopia: uses kopia as kopia's own integration tests build it, if available. Deriving the key of a repository takes it 1 ms, and the
# shipped kopia 200 ms of a core at each opening. A story that sets shipped_kopia=yes uses the shipped one.
quick_kopia() { [ -n "${shipped_kopia:-}" ] || [ -z "${KOPIUR_QUICK_KOPIA:-}" ] || export KOPIUR_KOPIA=$KOPIUR_QUICK_KOPIA; }
# story_line: the current line of the test itself, whatever the call stack.
story_line() {
  local n
  for ((n = 1; n < ${#BASH_SOURCE[@]}; n++)); do [ "${BASH_SOURCE[n]}" != "$0" ] || { echo "${BASH_LINENO[n - 1]}"; return; }; done
  echo '?'
}
# await SECONDS WHAT COMMAND...: waits until the command succeeds; the command sees $awaiting set. SECONDS is the limit on an idle machine;
# the actual limit is three times that. A long wait polls less often, down to once a second, because each poll costs processor time.
await() {
  local limit=$((3 * $1)) what=$2 from=$SECONDS pause; shift 2
  until awaiting=yes "$@" >/dev/null 2>&1; do
    [ $((SECONDS - from)) -lt "$limit" ] || die "$what: not within $limit s"
    pause=$((SECONDS - from < 2 ? 2 : SECONDS - from))
    sleep "$((pause < 10 ? 0 : 1)).$((pause < 10 ? pause : 0))"
  done
  echo "ok: $what ($((SECONDS - from)) s)"
}
# free_ports N: prints so many ports of loopback that nothing listens on, from below those that the kernel gives to others, and from above
# those that a node's own programs have (10248 to 10259).
free_ports() { python3 -c 'import random,socket,sys
held=[]
while len(held) < int(sys.argv[1]):
    try: held.append(socket.create_server(("127.0.0.1",random.randrange(11000,30000))))
    except OSError: pass
print(*[each.getsockname()[1] for each in held])' "$1"; }
# slots: the slots of all Backups that a schedule has created, one per line. whole: succeeds if such lines on standard input are one minute
# apart, without gaps or repetitions.
slots() { k get backups -o json | jq -r '.items[].metadata.annotations["kopiur.home-operations.com/slot"] // empty' | sort; }
whole() { date -u -f - +%s | awk 'NR > 1 && $1 != last + 60 {exit 1} {last = $1}'; }
# keep_running PIDFILE LOG COMMAND...: runs the command and restarts it whenever it ends, as a supervisor does. For the background: on
# SIGTERM it also ends the command.
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
# start_bus FOLDER LOG [LINE]: starts a nats-server with JetStream on a port that the kernel chooses, its store in the folder, LINE added to
# its configuration. Sets $bus to its process and $url to its URL.
start_bus() {
  mkdir -p "$1"
  printf 'listen: "127.0.0.1:-1"\nports_file_dir: "%s"\njetstream { store_dir: "%s/store" }\nmax_payload: 4MB\n%s\n' "$1" "$1" "${3:-}" >"$1/conf"
  "$KOPIUR_NATS_SERVER" -c "$1/conf" >"$2" 2>&1 &
  bus=$!
  bus_is_there() { ls "$1"/*.ports; }
  await 10 "the bus is there" bus_is_there "$1"
  url=$(jq -r '.nats[0]' "$1"/*.ports)
}
