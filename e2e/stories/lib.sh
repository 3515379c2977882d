# Shared by the stories: a separate folder for each, a running kopiur, bounded waits, processes to kill. Source it first. At the end it
# removes everything, unless the story failed: then it prints the line, and keeps the folder with all logs.
if [ -z "${KOPIUR_STORY:-}" ]; then  # limits the total time, also if run by hand
  KOPIUR_STORY=1 exec timeout --foreground -k 20 "${KOPIUR_STORY_LIMIT:-540}" bash "$0" "$@"
fi
set -Eeuo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$root/e2e/shell.sh"
source "$root/e2e/documents.sh"
bin=$(realpath "${KOPIUR_BIN:-$root/build/release/bin}")
quick_kopia
kopia=${KOPIUR_KOPIA:-$(command -v kopia || true)}
[ -x "$kopia" ] || { echo "kopia is neither at KOPIUR_KOPIA nor on PATH; ./dev setup builds it."; exit 1; }
home=$(mktemp -d "${TMPDIR:-/tmp}/kopiur-story-XXXXXX")
if [ -n "${slow_kopia:-}" ]; then  # each kopia of a mover sleeps half a second before it starts: time to catch one
  printf '#!/usr/bin/env bash\nsleep 0.5 <&- >&- 2>&-\nexec %q "$@"\n' "$kopia" >"$home/slow-kopia"
  chmod +x "$home/slow-kopia"
  export KOPIUR_KOPIA=$home/slow-kopia
fi
data=$home/data up_pid='' told='' background=() held=()

k() { "$bin/kopiur" --data "$data" "$@"; }
# Prints what a user sees. The command itself exits with 1 if something is red.
status() { k status "$@" || true; }
die() {
  told=yes
  echo "FAILED at $(basename "$0"):$(story_line): $*"
  [ -z "$up_pid" ] || status
  echo "logs: $data (kopiur.log, bus/server.log, jobs), $home/up.txt"
  tail -15 "$data/kopiur.log" 2>/dev/null || true
  exit 1
}
# start_up [OPTIONS...]
start_up() {
  "$bin/kopiur" --data "$data" up --manifests "$home/manifests" "$@" >>"$home/up.txt" 2>&1 &
  up_pid=$!
}
# stop_up: sends SIGTERM and waits; sets $took to the milliseconds that it took.
stop_up() {
  local pid=$up_pid begun n=0
  begun=$(date +%s%3N) up_pid=''
  kill -TERM "$pid" 2>/dev/null || die "kopiur up ran no more: $(tail -3 "$home/up.txt")"
  while kill -0 "$pid" 2>/dev/null; do [ $((n += 1)) -lt 600 ] || { kill -KILL "$pid"; die "kopiur up did not end within 30 s of SIGTERM"; }; sleep 0.05; done
  took=$(($(date +%s%3N) - begun))
  wait "$pid" || die "kopiur up ended with code $? after SIGTERM"
}
kill_up() { { kill -9 "$up_pid" || true; wait "$up_pid" 2>/dev/null || true; }; up_pid=''; }
field() { k get "$1" "$2" --field "$3" 2>/dev/null; }
is() { [ "$(field "$1" "$2" "$3")" = "$4" ]; }
# gone KIND NAME: kopiur reports that it does not exist (exit code 4); no answer does not count.
gone() { local code=0; k get "$1" "$2" >/dev/null 2>&1 || code=$?; [ "$code" = 4 ]; }
# ready_condition KIND NAME reason|message
ready_condition() { k get "$1" "$2" -o json 2>/dev/null | jq -r ".status.conditions[]? | select(.type == \"Ready\").$3"; }
# says WHAT TEXT...: WHAT contains each text.
says() { local said=$1 each; shift; for each in "$@"; do grep -qF -- "$each" <<<"$said" || die "it does not say \"$each\", but: $said"; done; }
release() { :; }  # what a story must release before its folder is removed
# Movers outlive kopiur; one that still writes into the story's folder keeps it from being removed.
movers_ended() { for _ in {1..200}; do pgrep -f "^[^ ]*kopiur-mover $data/jobs/" >/dev/null || return 0; sleep 0.1; done; }
the_end() {
  local code=$?
  trap '' TERM
  for each in ${held[@]+"${held[@]}"}; do kill -CONT "$each" 2>/dev/null || true; done
  [ -z "$up_pid" ] || { kill -TERM "$up_pid" 2>/dev/null && wait "$up_pid" 2>/dev/null || true; }
  for each in ${background[@]+"${background[@]}"}; do kill -TERM "$each" 2>/dev/null || true; done
  for each in ${background[@]+"${background[@]}"}; do wait "$each" 2>/dev/null || true; done
  [ "$code" = 0 ] || [ -n "$told" ] || echo "FAILED at $(basename "$0"):$at_line (code $code); logs: $home"
  if [ "$code" = 0 ]; then movers_ended; release; rm -rf "$home"; fi
  exit "$code"
}
at_line='?'
trap 'at_line=$LINENO' ERR
trap the_end EXIT
trap 'die "it was stopped from outside, or took longer than ${KOPIUR_STORY_LIMIT:-540} s"' TERM INT

# plain_manifests [MEGABYTES]: a repository, a source, a BackupConfig; nothing that fires by itself.
plain_manifests() {
  mkdir -p "$home/manifests" "$home/source"
  head -c "${1:-3}000000" /dev/urandom >"$home/source/data.bin"
  { secret password a-story; repository main "$home/repository"; volume source "$home/source"; recipe docs; } >"$home/manifests/all.yaml"
}

# in_repository ARGS...: runs the real kopia on the story's repository.
in_repository() {
  [ -f "$home/kopia.config" ] || KOPIA_PASSWORD=a-story "$kopia" --config-file "$home/kopia.config" repository connect filesystem --path "$home/repository" --cache-directory "$home/kopia-cache" >/dev/null 2>&1
  KOPIA_PASSWORD=a-story "$kopia" --config-file "$home/kopia.config" "$@" 2>/dev/null
}
snapshots() { in_repository snapshot list --all --json | jq -r '.[] | select(.incomplete == null).id' | sort; }
# kept ID: the repository holds the snapshot. (A pipe into grep -q would end the list by SIGPIPE, which counts as "no".)
kept() { local ids; ids=$(snapshots) || die "the snapshots cannot be listed"; grep -qx -- "$1" <<<"$ids"; }
named_snapshots() { k get backups -o json | jq -r '.items[].status.snapshot.kopiaSnapshotID // empty' | sort; }
# each_once N: the repository holds exactly N snapshots, each named by one Backup, and one for each run tag.
each_once() {
  named_snapshots >"$home/named" && snapshots >"$home/there"
  diff "$home/named" "$home/there" >&2 || die "the repository does not hold exactly the snapshots that the Backups name"
  [ "$(sort -u "$home/named" | wc -l)" = "$1" ] || die "there are $(sort -u "$home/named" | wc -l) snapshots, and $1 should be there"
  [ "$(in_repository snapshot list --all --json | jq -r '.[].tags."tag:kopiur-run"' | sort -u | wc -l)" = "$1" ] || die "the snapshots are not of $1 runs"
}
# backup_now [CONFIG]: creates a Backup, waits for its end, prints its name.
backup_now() { k backup now "${1:-docs}" --wait 2>>"$home/waits.txt" | grep -oE '[a-z0-9-]*backup-[a-z0-9-]*' | head -1; }
# ask_backup [CONFIG]: creates a Backup, prints its name at once.
ask_backup() { k backup now "${1:-docs}" 2>>"$home/waits.txt" | grep -oE '[a-z0-9-]*backup-[a-z0-9-]*' | head -1; }

# mover_of VERB [TEXT]: prints, within 30 s, the pid of a mover with this kind of work (backup, restore, delete ...) whose work contains
# TEXT. It prints the oldest match: a child has the same command line until it becomes kopia.
mover_of() {
  local folder until=$((SECONDS + 30))
  while [ "$SECONDS" -lt "$until" ]; do
    for folder in $(cd "$data/jobs" && grep -ls -- "${2:-}" "$1"*/work.json); do pgrep -o -f "^[^ ]*kopiur-mover $data/jobs/$folder" && return; done
    sleep 0.02
  done
  return 1
}
# kopia_of PID: prints the pid of this mover's kopia, within 30 s.
kopia_of() { local until=$((SECONDS + 30)); while [ "$SECONDS" -lt "$until" ]; do pgrep -P "$1" | head -1 | grep . && return; sleep 0.02; done; return 1; }
# hold MOVER: stops it until something sends it SIGCONT, at the latest the end of the story.
hold() { held+=("$1") && kill -STOP "$1" || die "the mover $1 has ended already"; }
bus_pid() { grep '"bus.started"' "$data/kopiur.log" | tail -1 | grep -oE '"pid":[0-9]+' | grep -oE '[0-9]+'; }

# open_bus: connects to the embedded bus on descriptor 9, with the login, as any client may.
open_bus() {
  local url info
  url=$(jq -r .url "$data/bus/access.json")
  url=${url#nats://}
  exec 9<>"/dev/tcp/${url%:*}/${url#*:}"
  IFS= read -r -t 30 -u 9 info || die "the bus sends no greeting"
  python3 "$root/e2e/stories/bus_login.py" "$data/bus/access.json" "$info" >&9
}
# publish SUBJECT BODY: sends a message on the embedded bus, as any client with the login may; returns once the server has it.
publish() {
  local answer
  open_bus
  printf 'PUB %s %d\r\n%s\r\nPING\r\n' "$1" "$(printf %s "$2" | wc -c)" "$2" >&9
  while IFS= read -r -t 30 -u 9 answer; do
    case $answer in
      PONG*) exec 9>&-; return 0 ;;
      -ERR*) break ;;
    esac
  done
  exec 9>&-
  die "the bus did not take a message for $1: ${answer:-no answer}"
}
# start_http_server: writes each request as a line into $home/requests and answers as the path says (hook_server.py); sets $at to its URL.
start_http_server() {
  touch "$home/requests"
  python3 "$root/e2e/stories/hook_server.py" "$home/port" "$home/requests" &
  background+=($!)
  await 30 "the server is there" test -s "$home/port"
  at=http://127.0.0.1:$(cat "$home/port")
}
