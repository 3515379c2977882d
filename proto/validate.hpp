#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/json/value.hpp"

/// Whether an object may be: one schema and one table of rules, the very ones that the CRDs carry. What needs other objects (does the
/// reference exist, is it allowed) is the admission's.
namespace kopiur::proto {

/// One thing wrong. `message` says what and why, `hint` how to fix it; both are sentences.
struct finding {
  std::string path;  ///< `spec.sources[2].pvc.name`; empty: the object itself
  std::string message, hint;
  /// `spec.schedule.cron: message hint`.
  std::string text() const;
};

/// So many findings are enough: who wrote the object mends those first, and with one for each member a hostile object would take minutes.
inline constexpr std::size_t max_findings = 100;

/// Parsers that live elsewhere: each gives the complaint about a text, or nothing. An empty one checks nothing.
struct format_checks {
  std::function<std::optional<std::string>(std::string_view)> cron, timezone;
};

/// What is wrong with an object of that kind, in the order of the schema, max_findings at most; empty = it may be. A kind that is not ours
/// is one finding.
std::vector<finding> validate(std::string_view kind, json::value const& object, format_checks const& checks = {});
/// The same for a change of an object, with the rules about changes. What stood in `old` already and stays as it was is not a finding:
/// rules that became stricter never block an object that was taken before (Kubernetes ratchets its CRDs in the same way).
std::vector<finding> validate_update(std::string_view kind, json::value const& old, json::value const& now,
                                     format_checks const& checks = {});

/// The object with the schema's defaults of its spec written in, and members that are null left out, as an API server stores it.
json::value with_defaults(std::string_view kind, json::value object);

}  // namespace kopiur::proto
