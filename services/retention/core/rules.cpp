#include "services/retention/core/rules.hpp"

#include <algorithm>

#include "services/retention/core/rows.hpp"

namespace kopiur::retention {

bool rules::prunes() const {
  return std::ranges::any_of(keep, [](auto n) { return n > 0; });
}

std::expected<rules, std::string> compile(proto::retention_policy const& policy) {
  auto calendar = zone::find(policy.timezone);
  if (!calendar) return std::unexpected("retention.timezone: " + calendar.error() + ".");
  auto count = [](std::optional<int> n) { return n && *n > 0 ? static_cast<std::uint32_t>(*n) : 0; };
  return rules{.keep = {count(policy.keep_latest), count(policy.keep_hourly), count(policy.keep_daily), count(policy.keep_weekly),
                        count(policy.keep_monthly), count(policy.keep_annual)},
               .calendar = std::move(*calendar)};
}

std::map<set_key, std::vector<row>> by_set(std::span<catalog_row const> all) {
  std::map<set_key, std::vector<row>> sets;
  for (auto const& one : all) sets[one.set].push_back(one.content);
  return sets;
}

}  // namespace kopiur::retention
