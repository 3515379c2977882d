#!/usr/bin/env bash
# chain_bench.sh [RUNS]: 1,000 Backups of a tiny volume through the whole chain (manifest, gateway, bus, orchestration, mover, kopia, status),
# compared with bare kopia on the same machine at the same concurrency; and where the time of a run goes.
set -euo pipefail
runs=${1:-1000}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export KOPIUR_BIN=${KOPIUR_BIN:-$root/build/release/bin}
export KOPIUR_STORY_LIMIT=${KOPIUR_STORY_LIMIT:-$((300 + 8 * runs))}
source "$root/e2e/stories/lib.sh"
plain_manifests
head -c 2000 /dev/urandom >"$home/source/data.bin"
start_up
await 60 "the repository is Ready" is repository main status.phase Ready

seconds() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", b - a }'; }
backups() { for ((i = 1; i <= runs; ++i)); do backup_of docs "$(printf b%05d "$i")"; done; }
ended() { k get backups -o json | jq '[.items[]|select(.status.phase=="Succeeded" or .status.phase=="Failed")]|length'; }
from=$(date +%s.%N)
backups >"$home/backups.yaml" && mv "$home/backups.yaml" "$home/manifests/backups.yaml"
until done_now=$(ended) && [ "$done_now" -ge "$runs" ]; do
  printf '\r%d of %d' "$done_now" "$runs" >&2
  [ "$SECONDS" -lt "$((60 + 6 * runs))" ] || die "only $done_now of $runs ended in time"
  sleep 2
done
printf '\r' >&2
to=$(date +%s.%N)
good=$(k get backups -o json | jq '[.items[]|select(.status.phase=="Succeeded")]|length')
snapshots=$(in_repository snapshot list --all --json | jq length)
[ "$good" = "$runs" ] && [ "$snapshots" = "$runs" ] || die "$good Backups succeeded and $snapshots snapshots are there, instead of $runs"

# Bare kopia: what a script would do for each Backup, connect and create, as many at a time as there are cores.
bare=$((runs < 60 ? runs : 60))
one_bare() {
  local config=$home/bare-$1.config
  KOPIA_PASSWORD=a-story "$kopia" --config-file "$config" repository connect filesystem --path "$home/bare" --cache-directory "$home/bare-cache-$1" >/dev/null 2>&1
  KOPIA_PASSWORD=a-story "$kopia" --config-file "$config" snapshot create "$home/source" >/dev/null 2>&1
  rm -rf "$config" "$home/bare-cache-$1"
}
mkdir "$home/bare" && KOPIA_PASSWORD=a-story "$kopia" --config-file "$home/bare.config" repository create filesystem --path "$home/bare" >/dev/null 2>&1
bare_from=$(date +%s.%N)
for ((i = 1; i <= bare; ++i)); do
  one_bare "$i" &
  [ "$(jobs -rp | wc -l)" -lt "$(($(nproc) + 1))" ] || wait -n
done
for job in $(jobs -rp); do [ "$job" = "$up_pid" ] || wait "$job"; done
bare_to=$(date +%s.%N)

jq -rn --argjson runs "$runs" --argjson bare "$bare" --argjson chain "$(seconds "$from" "$to")" --argjson plain "$(seconds "$bare_from" "$bare_to")" \
  '($chain/$runs) as $ours | ($plain/$bare) as $theirs |
   "\($runs) Backups in \($chain|round) s: \($ours*1000|round) ms each; bare kopia (connect, create): \($theirs*1000|round) ms each; ratio \($ours/$theirs*100|round/100)"'
echo "where the time of a run goes (ms, p50 / p99):"
grep -h '"event":"run\.' "$home/data/kopiur.log" | jq -Rrn '
  def ms: (.[0:19]+"Z"|fromdate)*1000 + ((.[20:23]|tonumber?) // 0);  # a whole second is written without a fraction
  def pick(p): sort | .[(length*p|floor)];
  [inputs|fromjson?|select(.run|startswith("backup-"))] | group_by(.run)
  | map(reduce .[] as $e ({}; if .[$e.stage] then . else .[$e.stage] = ($e.time|ms) end))
  | [["Due","Prepared"],["Prepared","Committed"],["Committed","Created"],["Created","TerminalObserved"],["TerminalObserved","FollowThroughComplete"]][] as [$a,$b]
  | [.[]|select(.[$a] and .[$b])|.[$b]-.[$a]] as $d | "  \($a) -> \($b): \($d|pick(0.5)) / \($d|pick(0.99))"'
