# What the shell tests share. Source it; `die` is the test's own: it says what it leaves behind.

# story_line: the line of the test itself, whatever called whatever, at which we are.
story_line() {
  local n
  for ((n = 1; n < ${#BASH_SOURCE[@]}; n++)); do [ "${BASH_SOURCE[n]}" != "$0" ] || { echo "${BASH_LINENO[n - 1]}"; return; }; done
  echo '?'
}
# await SECONDS WHAT COMMAND...: until the command succeeds.
await() {
  local limit=$1 what=$2 from=$SECONDS; shift 2
  until "$@" >/dev/null 2>&1; do [ $((SECONDS - from)) -lt "$limit" ] || die "$what: not within $limit s"; sleep 0.2; done
  echo "ok: $what ($((SECONDS - from)) s)"
}
