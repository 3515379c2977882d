#include "services/retention/core/policy.hpp"

#include <algorithm>

#include "services/retention/core/rows.hpp"

namespace kopiur::retention {

bool policy::prunes() const {
  return std::ranges::any_of(keep, [](auto n) { return n > 0; });
}

std::expected<policy, std::string> compile(proto::retention_policy const& stated) {
  auto calendar = zone::find(stated.timezone);
  if (!calendar) return std::unexpected("retention.timezone: " + calendar.error() + ".");
  auto count = [](std::optional<int> n) { return n && *n > 0 ? static_cast<std::uint32_t>(*n) : 0; };
  return policy{.keep = {count(stated.keep_latest), count(stated.keep_hourly), count(stated.keep_daily), count(stated.keep_weekly),
                         count(stated.keep_monthly), count(stated.keep_annual)},
                .calendar = std::move(*calendar)};
}

std::map<set_key, std::vector<row>> by_set(std::span<catalog_row const> all) {
  std::map<set_key, std::vector<row>> sets;
  for (auto const& one : all) sets[one.set].push_back(one.content);
  return sets;
}

}  // namespace kopiur::retention
