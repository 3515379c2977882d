#include "services/maintenance-lease/shell/service.hpp"
#include "services/runtime/shell/runtime.hpp"

int main() {
  using namespace kopiur;
  return runtime::run<maintenance_lease::service, maintenance_lease::options>(
      "maintenance-lease", [](runtime::settings const& settings) { return maintenance_lease::options{.cluster = settings.cluster}; });
}
