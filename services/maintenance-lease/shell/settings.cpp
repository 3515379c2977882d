#include "services/maintenance-lease/shell/settings.hpp"

namespace kopiur::maintenance_lease {

namespace {
policy policy_of(std::string const& movers) {
  policy rule;
  if (!movers.empty()) rule.shared_limit = static_cast<std::size_t>(runtime::number_from_1("KOPIUR_MOVERS_PER_REPOSITORY", movers));
  return rule;
}
}  // namespace

options options_of(runtime::settings const& settings) {
  return {.cluster = settings.cluster, .rule = policy_of(settings.movers_per_repository)};
}

}  // namespace kopiur::maintenance_lease
