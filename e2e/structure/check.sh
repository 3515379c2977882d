#!/usr/bin/env bash
# Checks the structure: the same directories in every service, pure cores, a README in every module. Run by ctest; also: bash
# e2e/structure/check.sh
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
failed=0
complain() { printf '%s\n' "$*"; failed=1; }

for service in scheduler catalog-discovery retention maintenance-lease mover-orchestration gateway mover executor cli; do
  for part in README.md core shell main.cpp test; do
    [ -e "services/$service/$part" ] || complain "services/$service has no $part"
  done
done
impure=$(grep -rnE '#include *[<"](boost/(asio|beast)|nats|spdlog|yaml-cpp|simdjson|common/(bus|app|http|kubernetes/[^o]|process|log))' services/*/core services/systems proto/core proto/kopiur proto/events common/time common/hash common/json common/blob/core common/blob/*/core --include=*.hpp --include=*.cpp |
  grep -vE 'common/json/(value|utf8).cpp|common/time/clock.hpp|proto/streams|core_pch') && complain "not pure: $impure"
for part in common/*/ services/[!s]*/ services/s[!y]*/ services/systems/*/ bench/*/ proto bench e2e e2e/cluster e2e/fuzz e2e/gate e2e/simulation examples helm/kopiur image parts; do
  case $part in common/cmake/) continue ;; esac
  [ -e "$part/README.md" ] || complain "$part has no README.md"
done
while read -r lines page; do
  case $page in total) continue ;; README.md) most=130 ;; *) most=60 ;; esac
  [ "$lines" -le $most ] || complain "$page has $lines lines: at most $most, or it is two modules"
done < <(git ls-files -- README.md '*/README.md' | xargs wc -l)
# Words that language.md replaces: in messages, comments and pages.
found=$(git grep -nwiE 'anew|seldom|for ever|whence|lest' -- '*.cpp' '*.hpp' '*.md' '*.sh' ':!e2e/structure') &&
  complain "old-fashioned words (again, rarely, forever): $found"
found=$(git grep -nE '"[^"]*\b(is no (time|name|number|path|size|duration)|whoever|whom)\b' -- 'services/*.[ch]pp' 'proto/*.[ch]pp' 'common/*.[ch]pp' | grep -vE '/test/|time-zone') &&
  complain "messages to users say it plainly (is not a valid time): $found"
found=$(git grep -nE '"(Repository|ClusterRepository|BackupConfig|BackupSchedule|Backup|Restore|Maintenance|PersistentVolume|PersistentVolumeClaim|StorageClass|Secret|ConfigMap|Namespace)"' \
  -- 'services/*.[ch]pp' 'common/*.[ch]pp' 'proto/*.[ch]pp' |
  grep -vE '/test/|^proto/(kopiur|core)/|^services/systems/kopiur/|///|name_of\("Secret"\)|add_option\(') && complain "a kind by its name (proto::backup::info.kind): $found"
# Names that language.md replaces: they had several meanings, or none that a stranger knows.
found=$(git grep -nwE 'status_claims?|strays|newcomers|upkeep|graveyard|bury|bell|alarms?|turns|seat|way_to|repository_way|follower|line_up|hands_?|mirror_sight' -- \
  'services/*.[ch]pp' 'proto/*.[ch]pp' 'common/*.[ch]pp' | grep -vE '/test/|^common/testing/|^[^:]*:[0-9]+: *//|in the hands') && complain "a name that language.md replaces: $found"
found=$(git grep -nE '[a-z_>&*] ?[ &*](of|to|at|how|with|on)_?(,|\)|;| = |\{)' -- 'services/*.[ch]pp' 'common/*.[ch]pp' 'e2e/*.[ch]pp' 'bench/*.[ch]pp' |
  grep -vE '^[^:]*:[0-9]+: *//|//.*\b(of|to|at|how|with|on)\b|"[^"]*\b(of|to|at|how|with|on)\b|^common/json/test/') && complain "a variable named by a preposition (target, deadline, options): $found"
found=$(git grep -niE 'kopiur|gateway|mover|backup' -- 'common/kubernetes/*.[ch]pp' | grep -vE '/test/|namespace kopiur|kopiur::') &&
  complain "common/kubernetes is a client for anybody: $found"
rights=helm/kopiur/charts/nats/files/rights.yaml
for service in scheduler catalog-discovery retention mover-orchestration; do
  sed -n "/^$service:/,/^[a-z]/p" $rights | grep -qxF "  - kopiur.v1.status.*.*.*.*.$service" ||
    complain "$rights: $service may not publish its status fragments (subjects::status_fragment)"
done
python3 e2e/structure/directions.py || failed=1
for header in $(grep -rlE 'KOPIUR_DESCRIBE(_NOTED)?\(' common proto services --include=*.hpp | grep -vE '^(common/json|proto)/describe.hpp'); do
  grep -qF "\"$header\"" e2e/structure/described.cpp || complain "$header describes structs, and e2e/structure/described.cpp does not include it"
done
found=$(grep -rln 'BOOST_DESCRIBE_STRUCT' common proto services e2e bench --include=*.hpp --include=*.cpp | grep -v common/json/describe.hpp) &&
  complain "described without KOPIUR_DESCRIBE: $found"
found=$(grep -rnE '\bspec(->|\.)((common|schedule)\.)?suspend\b' services --include=*.cpp --include=*.hpp | grep -vE '/test/|^services/systems/kopiur/rules/suspension\.[ch]pp') &&
  complain "reads spec.suspend, and not what kopiur suspend wrote (systems/kopiur/rules/suspension.hpp): $found"
# Reads of annotations and labels that users may write too, one per line: `lookup(..., label::run)`, `annotation(one, ours("seal"))`.
names_read() {
  grep -rnoE '\b(lookup|proven_or_not|annotation|label|snapshot_in|contains|starts_with|find)\([^;]*\b((annotation|label)::[a-z_]+|ours\("[a-z-]+"\))' services proto/kopiur \
    --include=*.cpp --include=*.hpp | grep -v '/test/' | sed -E 's/^([^:]+):[0-9]+:.*\b((annotation|label)::[a-z_]+|ours\("[a-z-]+"\))$/\1 \2/' | sort -u
}
readers=$(names_read)
users=$(grep -oE '\{(annotation|label)::[a-z_]+, name_writer::user' proto/kopiur/reserved_names.hpp | grep -oE '(annotation|label)::[a-z_]+')
sealed=$(grep -oE '\{(annotation|label)::[a-z_]+, name_writer::kopiur, name_proof::seal' proto/kopiur/reserved_names.hpp | grep -oE '(annotation|label)::[a-z_]+')
while read -r file name; do
  grep -qx -- "$name" <<<"$users" && continue
  [[ $name == 'ours("privileged-movers")' || $file == services/gateway/core/seals.cpp || $file == proto/kopiur/reserved_names.hpp ]] && continue
  [[ $file != services/gateway/* ]] && grep -qx -- "$name" <<<"$sealed" && continue
  grep -qF -- "$file $name: " e2e/structure/names.txt || complain "$file reads $name, which a user may write: go through what proves it, or say in e2e/structure/names.txt why it is believed"
done <<<"$readers"
while IFS=: read -r file name; do
  grep -qxF -- "$file $name" <<<"$readers" || complain "e2e/structure/names.txt has a reader that is none: $file $name"
done < <(grep -v '^#' e2e/structure/names.txt | sed -E 's/^([^ ]+) (((annotation|label)::[a-z_]+)|ours\("[a-z-]+"\)): .*/\1:\2/')
for name in $(grep -oE 'string_view [a-z_]+ = "kopiur\.home-operations\.com/' proto/kopiur/names.hpp | cut -d' ' -f2); do
  grep -qE "\{(annotation|label)::$name," proto/kopiur/reserved_names.hpp || grep -qE "finalizer.*$name|$name = .*(cleanup|mover-result|v1alpha1)" proto/kopiur/names.hpp ||
    complain "proto/kopiur/reserved_names.hpp does not say who writes $name"
done
for word in 'TODO' 'FIXME' 'GTEST_SKIP' 'DISABLED_'; do
  found=$(git grep -lw "$word" -- '*.cpp' '*.hpp' 2>/dev/null) && complain "$word stands in $found"
done
exit $failed
