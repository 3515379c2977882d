#!/usr/bin/env bash
# Output at a terminal and in a script: a progress bar with colours while a backup and a restore run, on one line that is cleared
# afterwards. No bar and no colours in a pipe, no colours with NO_COLOR. Results go to stdout alone, and the exit codes are the same.
slow_kopia=yes  # leaves time to see a bar
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests
for n in $(seq 22); do head -c 10000000 /dev/urandom >"$home/source/$n"; done
# A store limited to 20 MB/s, after the first six seconds' worth that kopia lets through: each run lasts five seconds on every machine.
cat >"$home/throttled-kopia" <<END
#!/bin/sh
case "\$2" in connect) set -- "\$@" --max-upload-speed=20000000 --max-download-speed=20000000 ;; esac
exec $KOPIUR_KOPIA "\$@"
END
chmod +x "$home/throttled-kopia"
KOPIUR_KOPIA=$home/throttled-kopia start_up
await 60 "the repository is Ready" is repository main status.phase Ready
escape=$'\033' line_start=$'\r'
# at_terminal ARGS...: runs kopiur at a terminal of 100 columns; sets $shown to its output and $code to its exit code.
at_terminal() {
  code=0
  shown=$(script -qec "stty cols 100; exec $(printf '%q ' "$bin/kopiur" --data "$data" "$@")" /dev/null </dev/null) || code=$?
}
# piped ARGS...: runs kopiur as in a script; sets $shown to stdout and $besides to stderr.
piped() {
  code=0
  shown=$(k "$@" 2>"$home/besides") || code=$?
  besides=$(<"$home/besides")
}
lacks() { case $1 in *"$2"*) die "$3: $(printf %q "$1")" ;; esac; }
# bar_seen TEXT: the output has lines that replace each other, none wider than the terminal, the last one cleared.
bar_seen() {
  says "$shown" "$line_start$escape[K" "$1"
  grep -qE '[0-9]+% \[#*-+\]' <<<"$shown" || die "there is no bar: $(printf %q "$shown")"
  local widest
  widest=$(tr '\r' '\n' <<<"${shown%"$line_start$escape[K"*}" | sed "s/$escape\[[0-9;]*[mK]//g" | awk '{ if (length($0) > most) most = length($0) } END { print most + 0 }')
  [ "$widest" -le 100 ] || die "a line has $widest columns, and the terminal 100"
}

at_terminal backup now docs --wait
[ "$code" = 0 ] || die "exit $code: $shown"
bar_seen "read"
says "$shown" "$escape["
backup=$(k get backups -o json | jq -r '.items[0].metadata.name')
says "${shown##*"$line_start$escape[K"}" "$backup"  # what stays on the screen
at_terminal restore --config docs --to bar --wait
[ "$code" = 0 ] || die "exit $code: $shown"
bar_seen "written"
echo "ok: a bar on one line while they run, and the outcome after it"

echo more >"$home/source/changes"
piped backup now docs --wait
[ "$code" = 0 ] || die "exit $code: $besides"
lacks "$shown$besides" "$escape" "colours in a pipe"
lacks "$shown$besides" "$line_start" "a line that replaces itself in a pipe"
echo "ok: neither in a pipe"

at_terminal status
[ "$code" = 0 ] || die "status ends with $code: $shown"
says "$shown" "$escape[" "default/main"
export NO_COLOR=1
at_terminal status
lacks "$shown" "$escape[3" "colours although NO_COLOR is set"
unset NO_COLOR
at_terminal get backups -o json
lacks "$shown" "$escape" "colours in JSON"
jq -e '.items | length == 2' >/dev/null <<<"$shown" || die "what a terminal shows as JSON is none: $shown"
at_terminal get backup none
[ "$code" = 4 ] || die "exit $code for what is not there"
piped get backup none
[ "$code" = 4 ] && [ -z "$shown" ] && [ -n "$besides" ] || die "exit $code, on stdout: $shown, on stderr: $besides"
echo "ok: colours for people alone, and the same exit codes for both"
