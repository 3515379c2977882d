#include <charconv>
#include <stdexcept>

#include "services/maintenance-lease/shell/service.hpp"
#include "services/runtime/shell/runtime.hpp"

namespace {

kopiur::lease::policy policy_of(std::string const& movers) {
  kopiur::lease::policy rule;
  if (movers.empty()) return rule;
  auto [end, failed] = std::from_chars(movers.data(), movers.data() + movers.size(), rule.shared_limit);
  if (failed != std::errc() || end != movers.data() + movers.size() || rule.shared_limit == 0)
    throw std::runtime_error("KOPIUR_MOVERS_PER_REPOSITORY is " + movers + ", and must be a number from 1 on.");
  return rule;
}

}  // namespace

int main() {
  using namespace kopiur;
  return runtime::run<lease::service, lease::options>("maintenance-lease", [](runtime::settings const& with) {
    return lease::options{.cluster = with.cluster, .rule = policy_of(with.movers_per_repository)};
  });
}
