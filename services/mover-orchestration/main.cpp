#include "services/mover-orchestration/shell/service.hpp"
#include "services/runtime/shell/runtime.hpp"

int main() {
  using namespace kopiur;
  return runtime::run<orchestration::service, orchestration::options>("mover-orchestration", [](runtime::settings const& with) {
    return orchestration::options{.cluster = with.cluster, .can = {.pods = with.adapter == "kubernetes"}, .traces = with.traces};
  });
}
