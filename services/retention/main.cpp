#include "services/retention/shell/service.hpp"
#include "services/runtime/shell/runtime.hpp"

int main() {
  using namespace kopiur;
  return runtime::run<retention::service, retention::options>(
      "retention", [](runtime::settings const& settings) { return retention::options{.cluster = settings.cluster}; });
}
