#include "services/catalog-discovery/shell/service.hpp"
#include "services/runtime/shell/runtime.hpp"

int main() {
  using namespace kopiur;
  return runtime::run<discovery::service, discovery::options>(
      "catalog-discovery", [](runtime::settings const& with) { return discovery::options{.cluster = with.cluster}; });
}
