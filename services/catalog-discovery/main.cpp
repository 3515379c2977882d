#include "services/catalog-discovery/shell/service.hpp"
#include "services/runtime/shell/runtime.hpp"

int main() {
  using namespace kopiur;
  return runtime::run<catalog_discovery::service, catalog_discovery::options>(
      "catalog-discovery", [](runtime::settings const& settings) { return catalog_discovery::options{.cluster = settings.cluster}; });
}
