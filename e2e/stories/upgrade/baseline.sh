#!/usr/bin/env bash
# baseline.sh [COMMIT]: prints the folder of the baseline's tree, with its programs in build/release/bin. It builds them once, without
# optimization, next to the parts, and writes the build log there. Needs the commit in this clone.
set -euo pipefail
commit=${1:-152c7fb}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
die() { echo "baseline.sh: $*" >&2; exit 1; }
full=$(git -C "$root" rev-parse --verify --quiet "$commit^{commit}") || die "this clone does not have the commit $commit. Fetch all of the history: git fetch --unshallow"
tree=${XDG_CACHE_HOME:-$HOME/.cache}/kopiur/baseline-${full:0:12}
mkdir -p "$tree"
(
  flock 9
  [ ! -e "$tree/made" ] || exit 0
  git -C "$root" archive "$full" | tar -x -C "$tree"
  cd "$tree"
  programs=(kopiur kopiur-mover kopiur-services kopiur-{catalog-discovery,gateway,maintenance-lease,mover-orchestration,retention,scheduler})
  { cmake --preset release -DCMAKE_CXX_FLAGS_RELEASE=-O0 && ninja -C build/release "${programs[@]/#/bin/}"; } >"$tree.log" 2>&1 || die "the baseline was not built; the whole output: $tree.log"
  touch made
) 9>"$tree.lock"
echo "$tree"
