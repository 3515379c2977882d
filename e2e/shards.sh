#!/usr/bin/env bash
# shards.sh N PROGRAM...: runs a gtest program as N parallel processes, each with its shard of the tests: for tests that mostly wait.
set -euo pipefail
n=$1 && shift
out=$(mktemp -d /tmp/kopiur-shards-XXXXXX)
trap 'rm -rf "$out"' EXIT
pids=()
for ((i = 0; i < n; ++i)); do
  GTEST_TOTAL_SHARDS=$n GTEST_SHARD_INDEX=$i "$@" >"$out/$i" 2>&1 &
  pids+=($!)
done
failed=0
for ((i = 0; i < n; ++i)); do
  wait "${pids[i]}" || { failed=1; cat "$out/$i"; }
done
grep -h '^\[       OK \]' "$out"/* | sort
exit $failed
