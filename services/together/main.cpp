#include "services/gateway/shell/settings.hpp"
#include "services/mover-orchestration/shell/settings.hpp"
#include "services/provisioner/shell/settings.hpp"
#include "services/together/shell/serve.hpp"

int main() {
  using namespace kopiur;
  return runtime::run("services", [](runtime::environment in) {
    return together::serve(in.bus, in.time, in.health,
                           {.gateway = gateway::options_of(in.settings),
                            .lease = {.cluster = in.settings.cluster},
                            .orchestration = mover_orchestration::options_of(in.settings),
                            .provisioner = provisioner::options_of(in.settings)});
  });
}
