#!/usr/bin/env bash
# hardening.sh PROGRAM...: reads from each program of KOPIUR_BIN that a fault of its memory ends it before it can be used (common/cmake/toolchain.cmake).
set -euo pipefail

program='' missing=0
# has WHAT PATTERN: whether the text from stdin has it.
has() {
  grep -E -e "$2" >/dev/null || { printf '%s: no %s\n' "$program" "$1"; missing=1; }
}
for program; do
  file=$KOPIUR_BIN/$program
  told=$(llvm-readelf-19 --wide --file-header --program-headers --dynamic "$file")
  names=$(llvm-readelf-19 --wide --dyn-syms "$file")
  has 'position-independent code' 'Type: +DYN' <<<"$told"
  has 'read-only relocations' 'GNU_RELRO' <<<"$told"
  has 'binding at the start' '\((FLAGS|FLAGS_1)\).*NOW' <<<"$told"
  has 'stack that cannot be executed' 'GNU_STACK.* RW ' <<<"$told"
  has 'stack protector' ' __stack_chk_fail@' <<<"$names"
  has 'bounds in calls of the C library (FORTIFY)' ' __[a-z]+_chk@' <<<"$names"
  has 'bounds in the C++ library (_GLIBCXX_ASSERTIONS)' 'glibcxx_assert_fail' <<<"$names"
done
exit "$missing"
