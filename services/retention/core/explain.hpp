#pragma once
#include <string>

#include "common/json/describe.hpp"
#include "services/retention/core/judge.hpp"

/// Verdicts in words: for the prune's log, for events, for `kopiur explain retention`.
namespace kopiur::retention {

/// Every reason why a row stays: `latest-1`, `daily-3` (the place of the rule that it holds), `newest`, `in-use`, `no-retention`, or why it
/// stands outside: `manual`, `discovered`, `unfinished`, `no-snapshot`, `pinned`, `deleting`, `future`. Empty exactly when the row goes.
std::vector<std::string> reasons(verdict const&);

/// One sentence that a person understands, for either outcome.
std::string sentence(verdict const&, policy const&);

/// One line of the table of `kopiur explain retention`.
struct explained {
  std::string id;
  instant ended{};
  bool keep = true;
  std::vector<std::string> reasons;
  std::string text;
};
KOPIUR_DESCRIBE(explained, (), (id, ended, keep, reasons, text))

/// The whole set, newest first, with what judge() decides of each row.
std::vector<explained> explain(std::span<row const> one_set, policy const&, instant now);

}  // namespace kopiur::retention
