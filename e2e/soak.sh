#!/usr/bin/env bash
# soak.sh [MINUTES]: searches for faults that the gate's fixed seeds cannot find. It runs the planted bugs and the simulation (on every
# core) with seeds from the clock, and the fuzzers for a fifth of the time. Prints each fault with its seed, its shortest story and the
# command that reproduces it, and continues. Exit status 1 if it found any. `./dev soak` builds what it needs.
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export GLIBC_TUNABLES=glibc.malloc.tcache_count=4000:glibc.malloc.hugetlb=1:glibc.malloc.trim_threshold=1000000000:glibc.malloc.top_pad=67108864
minutes=${1:-30} cores=${KOPIUR_JOBS:-$(nproc)} program=build/release/bin/kopiur-simulate first=$(($(date +%s) % 1000000000))
[[ $minutes =~ ^[1-9][0-9]*$ ]] || { echo "usage: ./dev soak [MINUTES]; $minutes is not a number of minutes" >&2; exit 2; }
home=$(mktemp -d "${TMPDIR:-/tmp}/kopiur-soak-XXXXXX")
pids=()
the_end() { for each in ${pids[@]+"${pids[@]}"}; do kill "$each" 2>/dev/null || true; done; rm -rf "$home"; }
trap the_end EXIT
touch "$home/found"
fuzzers=$(ls build/asan/fuzz/*_fuzz | wc -l)
hours=6 runs=10 fuzz_seconds=$((minutes * 60 / 5 / fuzzers + 1)) until=$((SECONDS + minutes * 60 * 4 / 5))

# simulate LANE: batches of stories until the time is up, every fourth about Buckety. A batch ends at its first violation; the next one
# starts with the seed after it.
simulate() {
  local seed=$((first + $1 * 10000000)) batch=0 out about kind
  while [ "$SECONDS" -lt "$until" ]; do
    out=$home/batch-$1-$((batch += 1)) about='' kind=hours
    [ $((batch % 4)) != 0 ] || { about=' --buckets' kind=buckets; }
    if "$program" --hours "$hours" --runs "$runs" --seed "$seed" $about >"$out" 2>&1; then
      echo $((hours * runs)) >>"$home/$kind-$1"
    else
      cat "$out"
      violated=$(grep -oE '\(seed [0-9]+\)' "$out" | grep -oE '[0-9]+' | head -1)
      echo "again: ./dev simulate --hours $hours --seed ${violated:-$seed}$about"
      echo "${violated:-$seed}" >>"$home/found"
      rm "$out"
      [ -z "$violated" ] || { echo $((hours * (violated - seed))) >>"$home/$kind-$1"; seed=$((violated + 1)); continue; }
    fi
    seed=$((seed + runs))
  done
}
# sum KIND: of hours about backups (hours), or about Buckety (buckets).
sum() { cat "$home/$1"-* 2>/dev/null | awk '{n += $1} END {print n + 0}'; }

echo "planted bugs, from seed $first on"
KOPIUR_FIRST_SEED=$first build/release/test/simulation_test --gtest_brief=1 ||
  { echo "again: KOPIUR_FIRST_SEED=$first build/release/test/simulation_test"; echo planted >>"$home/found"; }
begun=$SECONDS
echo "the simulation, from seed $first on, until $((until - SECONDS)) s from now"
for ((lane = 0; lane < cores; lane++)); do simulate "$lane" & pids+=($!); done
for each in "${pids[@]}"; do wait "$each" || true; done
pids=() took=$((SECONDS - begun))
# Kinds too rare for one batch must occur within a thousand hours.
if [ "$(sum hours)" -ge 1000 ]; then
  "$program" --rare | while read -r what; do
    grep -qF "  $what " "$home"/batch-* || { echo "\"$what\" never came in $(sum hours) hours, so nothing was shown about it."; echo "$what" >>"$home/found"; }
  done
fi
echo "the fuzzers, $fuzz_seconds s each"
e2e/fuzz/long.sh "$fuzz_seconds" || echo fuzz >>"$home/found"
echo "found: $(wc -l <"$home/found")"
awk -v hours="$(($(sum hours) + $(sum buckets)))" -v buckets="$(sum buckets)" -v seconds="$((took > 0 ? took : 1))" -v cores="$cores" \
  'BEGIN {printf "%d simulated hours without a violation (%d of Buckety), %.2f a second on %d cores\n", hours, buckets, hours / seconds, cores}'
[ ! -s "$home/found" ]
