#include "services/runtime/shell/runtime.hpp"
#include "services/scheduler/shell/service.hpp"

int main() {
  using namespace kopiur;
  return runtime::run<scheduler::service, scheduler::options>(
      "scheduler", [](runtime::settings const& settings) { return scheduler::options{.cluster = settings.cluster}; });
}
