#!/usr/bin/env bash
# run.sh FUZZER RUNS: replays the corpus of a fuzzer, then explores from a fixed seed. The same program and corpus give the same runs: the
# inputs are named in order, and nothing depends on the clock. Run by ctest.
set -euo pipefail
fuzzer=$1 runs=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
name=$(basename "$fuzzer" _fuzz)
work=$(dirname "$fuzzer")/$name
rm -rf "$work" && mkdir -p "$work/found"
cp -r "$here/corpus/$name" "$work/corpus"
export LC_ALL=C
inputs=("$work/corpus"/*)
export ASAN_OPTIONS=detect_stack_use_after_return=1:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
export LSAN_OPTIONS=suppressions=$here/../../common/cmake/leaks.txt:print_suppressions=0
# Without address randomization (where the kernel allows it) and with -use_cmp=0: addresses differ between starts and would change the
# mutations.
same_layout=()
if setarch "$(uname -m)" -R true 2>/dev/null; then same_layout=(setarch "$(uname -m)" -R); fi
# New inputs go to `found`, the copied corpus stays unchanged. A failing input is stored next to both, and its path is printed.
${same_layout[@]+"${same_layout[@]}"} "$fuzzer" -seed=1 -runs="$runs" -max_len=65536 -timeout=100 -reload=0 -use_cmp=0 -print_final_stats=0 -artifact_prefix="$work/" \
  -seed_inputs="$(IFS=,; echo "${inputs[*]}")" "$work/found" ||
  { echo "$name: the input above shows it again with: $fuzzer FILE. Once it is fixed, add the file to e2e/fuzz/corpus/$name."; exit 1; }
