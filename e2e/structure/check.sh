#!/usr/bin/env bash
# Every service has the same rooms, cores are pure, and every room says what it is. Run by ctest; also: bash e2e/structure/check.sh
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
failed=0
complain() { printf '%s\n' "$*"; failed=1; }

for service in scheduler catalog-discovery retention maintenance-lease mover-orchestration gateway mover cli; do
  for room in README.md core shell main.cpp test; do
    [ -e "services/$service/$room" ] || complain "services/$service has no $room"
  done
done
impure=$(grep -rnE '#include *[<"](boost/(asio|beast)|nats|spdlog|yaml-cpp|simdjson|common/(bus|app|http|process|log))' services/*/core proto/kinds proto/events common/time common/hash common/json --include=*.hpp --include=*.cpp |
  grep -vE 'common/json/value.cpp|common/time/clock.hpp|proto/streams|core_pch') && complain "not pure: $impure"
for room in common/*/ services/*/ bench/*/ proto bench e2e e2e/cluster e2e/fuzz e2e/gate e2e/simulation examples helm/kopiur image parts; do
  case $room in common/cmake/) continue ;; esac
  [ -e "$room/README.md" ] || complain "$room has no README.md"
done
for header in $(grep -rl 'KOPIUR_DESCRIBE(' common proto services --include=*.hpp | grep -v common/json/describe.hpp); do
  grep -qF "\"$header\"" e2e/structure/described.cpp || complain "$header describes structs, and e2e/structure/described.cpp does not include it"
done
found=$(grep -rln 'BOOST_DESCRIBE_STRUCT' common proto services e2e bench --include=*.hpp --include=*.cpp | grep -v common/json/describe.hpp) &&
  complain "described without KOPIUR_DESCRIBE: $found"
for word in 'TODO' 'FIXME' 'GTEST_SKIP' 'DISABLED_'; do
  found=$(git grep -lw "$word" -- '*.cpp' '*.hpp' 2>/dev/null) && complain "$word stands in $found"
done
exit $failed
