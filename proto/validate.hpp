#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/json/value.hpp"

/// Validates an object by the same schema and the same rules that the CRDs carry. Checks that need other objects (does the reference exist,
/// is it allowed) belong to admission.
namespace kopiur::proto {

/// One problem. `message` says what and why, `hint` how to fix it; both are sentences.
struct finding {
  std::string path;  ///< `spec.sources[2].pvc.name`; empty: the object itself
  std::string message, hint;
  /// `spec.schedule.cron: message hint`.
  std::string text() const;
};

/// Validation stops after this many findings. The author fixes these first, and one finding for each member of a hostile object would take
/// minutes.
inline constexpr std::size_t max_findings = 100;

/// Parsers that other modules provide: each returns what is wrong with a text, or nothing. An empty function checks nothing.
struct format_checks {
  std::function<std::optional<std::string>(std::string_view)> cron, timezone;
};

/// The problems of an object of that kind, in the order of the schema, max_findings at most; empty: it is valid. An unknown kind is one
/// finding.
std::vector<finding> validate(std::string_view kind, json::value const& object, format_checks const& checks = {});
/// The same for an update, including the rules about changes. Unchanged parts of `old` are not findings, so stricter rules never block an
/// object that was accepted earlier (Kubernetes ratchets its CRDs in the same way).
std::vector<finding> validate_update(std::string_view kind, json::value const& old, json::value const& now,
                                     format_checks const& checks = {});

/// The object with the schema's defaults filled in and null members removed, as an API server stores it.
json::value with_defaults(std::string_view kind, json::value object);

}  // namespace kopiur::proto
