#include "services/retention/core/trim.hpp"

#include <algorithm>
#include <set>

#include "services/retention/core/judge.hpp"

namespace kopiur::retention {

namespace {

/// Indices of the rows that `belongs` selects and that may be deleted, newest first.
template <class Belongs>
std::vector<std::size_t> newest_first(std::span<row const> rows, instant now, Belongs belongs) {
  std::vector<std::size_t> line;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto const& r = rows[i];
    bool held = r.pinned || r.in_use || r.deleting || r.ended > now + clock_tolerance;
    if (!held && belongs(r)) line.push_back(i);
  }
  std::ranges::sort(
      line, [&](auto a, auto b) { return rows[a].ended != rows[b].ended ? rows[a].ended > rows[b].ended : rows[a].id < rows[b].id; });
  return line;
}

}  // namespace

std::vector<trimmed> trim_failed(std::span<row const> rows, int limit, instant now) {
  auto line = newest_first(rows, now, [](row const& r) { return r.phase == proto::backup_phase::Failed; });
  auto most = static_cast<std::size_t>(std::max(limit, 0));
  std::vector<trimmed> gone;
  std::set<std::string_view> stay;
  for (auto i : line) {
    std::string_view slot = rows[i].slot.empty() ? rows[i].id : rows[i].slot;
    if (stay.contains(slot) || stay.size() < most)
      stay.insert(slot);
    else
      gone.push_back({i, "It failed, and the schedule keeps the failed Backups of its newest " + std::to_string(most) +
                             " slots that had any (failedJobsHistoryLimit)."});
  }
  return gone;
}

std::vector<trimmed> trim_held(std::span<row const> rows, instant now) {
  constexpr std::size_t stay = 3;
  auto line = newest_first(
      rows, now, [](row const& r) { return r.phase == proto::backup_phase::Held && r.origin == proto::backup_origin::scheduled; });
  std::vector<trimmed> gone;
  for (auto i = stay; i < line.size(); ++i)
    gone.push_back({line[i], "It is held, for it shrank, and so are three newer ones of its source."});
  return gone;
}

std::vector<trimmed> trim_discovered(std::span<row const> rows, proto::catalog_retain const& bound, instant now) {
  auto line = newest_first(rows, now, [](row const& r) { return r.origin == proto::backup_origin::discovered; });
  std::vector<trimmed> gone;
  for (std::size_t n = 0; n < line.size(); ++n) {
    if (bound.per_identity && n >= static_cast<std::size_t>(std::max(*bound.per_identity, 0)))
      gone.push_back({line[n], "The catalog shows the newest " + std::to_string(*bound.per_identity) +
                                   " discovered Backups of an identity (catalog.retain.perIdentity); the snapshot stays."});
    else if (bound.max_age_days && now - rows[line[n]].ended > std::chrono::days(*bound.max_age_days))
      gone.push_back({line[n], "The catalog shows discovered Backups for " + std::to_string(*bound.max_age_days) +
                                   " days (catalog.retain.maxAgeDays); the snapshot stays."});
  }
  return gone;
}

}  // namespace kopiur::retention
