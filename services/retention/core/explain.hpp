#pragma once
#include <string>

#include "common/json/describe.hpp"
#include "services/retention/core/judge.hpp"

/// Verdicts as text: for the prune's log, for events, for `kopiur explain retention`.
namespace kopiur::retention {

/// Every reason why a row stays: `latest-1`, `daily-3` (its place in the rule that keeps it), `newest`, `in-use`, `no-retention`; or why it
/// is not judged: `manual`, `discovered`, `unfinished`, `no-snapshot`, `pinned`, `deleting`, `future`. Empty exactly when the row is
/// deleted.
std::vector<std::string> reasons(verdict const&);

/// One readable sentence for either verdict.
std::string sentence(verdict const&, policy const&);

/// One row of the table of `kopiur explain retention`.
struct explained {
  std::string id;
  instant ended{};
  bool keep = true;
  std::vector<std::string> reasons;
  std::string text;
};
KOPIUR_DESCRIBE(explained, (), (id, ended, keep, reasons, text))

/// The whole set, newest first, with the verdict of judge() on each row.
std::vector<explained> explain(std::span<row const> one_set, policy const&, instant now);

}  // namespace kopiur::retention
