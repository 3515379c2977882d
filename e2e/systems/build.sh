#!/usr/bin/env bash
# build.sh TARGET...: builds kopiur with one more system, which is the directory e2e/systems/toy and this line: KOPIUR_MORE_SYSTEMS. Prints the folder of the
# build.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
build=$root/build/toy
{
  [ -f "$build/build.ninja" ] || cmake --preset release -B "$build" -DKOPIUR_MORE_SYSTEMS=e2e/systems/toy
  cmake --build "$build" -j2 -- --quiet -k 0 "$@"
} >&2
echo "$build"
