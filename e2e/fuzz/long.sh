#!/usr/bin/env bash
# long.sh [SECONDS_EACH]: each fuzzer explores for that time (60) from a random seed. Prints the seed, the findings, and the command that
# reproduces each; continues after a finding; exit status 1 if there was any. New inputs stay in the build directory; the next call starts
# with them.
set -uo pipefail
seconds=${1:-60}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fuzzers=${KOPIUR_FUZZERS:-$here/../../build/asan/fuzz}
export ASAN_OPTIONS=detect_stack_use_after_return=1:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
export LSAN_OPTIONS=suppressions=$here/../../common/cmake/leaks.txt:print_suppressions=0
found=0 ran=0
for fuzzer in "$fuzzers"/*_fuzz; do
  [ -x "$fuzzer" ] || continue
  name=$(basename "$fuzzer" _fuzz) seed=$((RANDOM * 32768 + RANDOM + 1))
  work=$fuzzers/long/$name
  mkdir -p "$work/learned"
  echo "$name: seed $seed, $seconds s"
  ran=$((ran + 1))
  marker=$work/begun && touch "$marker"
  "$fuzzer" -seed="$seed" -max_total_time="$seconds" -max_len=65536 -timeout=100 -print_final_stats=1 -artifact_prefix="$work/" \
    "$work/learned" "$here/corpus/$name" >"$work/log" 2>&1 && { grep -h 'stat::number_of_executed_units' "$work/log"; continue; }
  found=1
  grep -hE '^the property|SUMMARY|runtime error' "$work/log" | head -5
  for artifact in $(find "$work" -maxdepth 1 -type f -newer "$marker" ! -name log ! -name 'slow-unit-*'); do
    echo "  found: $artifact"
    echo "  again: $(realpath "$fuzzer") $artifact"
  done
  echo "  log:   $work/log"
done
[ "$ran" -gt 0 ] || { echo "There are no fuzzers in $fuzzers: build the preset asan first (./dev build asan)."; exit 1; }
exit $found
