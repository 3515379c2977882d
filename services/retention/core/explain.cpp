#include "services/retention/core/explain.hpp"

#include <algorithm>
#include <numeric>

#include "common/encoding/join.hpp"

namespace kopiur::retention {

namespace {

constexpr std::array<std::string_view, periods> field_names{"keepLatest", "keepHourly",  "keepDaily",
                                                            "keepWeekly", "keepMonthly", "keepAnnual"};
constexpr std::array<std::string_view, periods> bucket_names{"", "hour", "day", "week", "month", "year"};

struct outside {
  std::string_view reason, sentence;
};

/// Empty when the row is judged.
outside words_of(standing s) {
  switch (s) {
    case standing::judged:
      return {};
    case standing::manual:
      return {"manual", "It was created by hand; retention never deletes those."};
    case standing::discovered:
      return {"discovered", "It was found in the repository; the repository's catalog.retain bounds those, not retention."};
    case standing::unfinished:
      return {"unfinished", "It has not succeeded; failed ones go by failedJobsHistoryLimit."};
    case standing::bare:
      return {"no-snapshot", "It has no snapshot, so there is nothing that retention could free."};
    case standing::pinned:
      return {"pinned", "It is pinned: it stays until spec.pin is false, and counts in no rule."};
    case standing::deleting:
      return {"deleting", "It is being deleted already."};
    case standing::future:
      return {"future", "Its end time lies in the future, so a clock was wrong: it counts in no rule, and is never pruned."};
  }
  return {};
}

std::string why_missed(std::size_t p, miss m, policy const& by) {
  auto rule = std::string(field_names[p]) + " " + std::to_string(by.keep[p]);
  if (m == miss::not_first) return "a newer one of its " + std::string(bucket_names[p]) + " is kept (" + rule + ")";
  return "newer ones fill " + rule;
}

std::string no_rule(verdict const& v, policy const& by) {
  std::vector<std::string> missed;
  for (std::size_t p = 0; p < periods; ++p)
    if (v.missed[p] != miss::none) missed.push_back(why_missed(p, v.missed[p], by));
  return "No rule keeps it: " + encoding::join(missed, "; ") + ".";
}

}  // namespace

std::vector<std::string> reasons(verdict const& v) {
  if (v.standing != standing::judged) return {std::string(words_of(v.standing).reason)};
  if (v.no_rules) return {"no-retention"};
  std::vector<std::string> all;
  for (std::size_t p = 0; p < periods; ++p)
    if (v.rank[p]) all.push_back(std::string(period_names[p]) + "-" + std::to_string(v.rank[p]));
  if (v.newest) all.push_back("newest");
  if (v.in_use) all.push_back("in-use");
  return all;
}

std::string sentence(verdict const& v, policy const& by) {
  if (v.standing != standing::judged) return std::string(words_of(v.standing).sentence);
  if (v.no_rules) return "The config has no retention rule, so nothing is pruned.";
  if (v.in_use) return no_rule(v, by) + " It stays as long as a restore reads it.";
  if (!v.keep) return no_rule(v, by);
  return "It is kept as " + encoding::join(reasons(v), ", ") + ".";
}

std::vector<explained> explain(std::span<row const> rows, policy const& by, instant now) {
  auto verdicts = judge(rows, by, now);
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(
      order, [&](auto a, auto b) { return rows[a].ended != rows[b].ended ? rows[a].ended > rows[b].ended : rows[a].id < rows[b].id; });
  std::vector<explained> lines;
  for (auto i : order) lines.push_back({rows[i].id, rows[i].ended, verdicts[i].keep, reasons(verdicts[i]), sentence(verdicts[i], by)});
  return lines;
}

}  // namespace kopiur::retention
