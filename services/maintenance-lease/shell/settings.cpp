#include "services/maintenance-lease/shell/settings.hpp"

#include <charconv>
#include <stdexcept>

namespace kopiur::lease {

namespace {
policy policy_of(std::string const& movers) {
  policy rule;
  if (movers.empty()) return rule;
  auto [end, failed] = std::from_chars(movers.data(), movers.data() + movers.size(), rule.shared_limit);
  if (failed != std::errc() || end != movers.data() + movers.size() || rule.shared_limit == 0)
    throw std::runtime_error("KOPIUR_MOVERS_PER_REPOSITORY is " + movers + ", and must be a number from 1 on.");
  return rule;
}
}  // namespace

options options_of(runtime::settings const& with) { return {.cluster = with.cluster, .rule = policy_of(with.movers_per_repository)}; }

}  // namespace kopiur::lease
