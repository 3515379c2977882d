#include "services/maintenance-lease/shell/service.hpp"
#include "services/runtime/shell/runtime.hpp"

int main() {
  using namespace kopiur;
  return runtime::run<lease::service, lease::options>(
      "maintenance-lease", [](runtime::settings const& with) { return lease::options{.cluster = with.cluster, .rule = {}}; });
}
