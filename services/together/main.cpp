#include "services/gateway/shell/settings.hpp"
#include "services/mover-orchestration/shell/settings.hpp"
#include "services/provisioner/shell/settings.hpp"
#include "services/retention/shell/settings.hpp"
#include "services/together/shell/serve.hpp"

int main() {
  using namespace kopiur;
  return runtime::run("services", [](runtime::settings const& from) -> runtime::program {
    auto gateway = gateway::options_of(from);
    auto provisioner = provisioner::options_for(from.cluster, gateway.configurations);
    together::options all{.gateway = std::move(gateway),
                          .lease = {.cluster = from.cluster},
                          .orchestration = mover_orchestration::options_of(from),
                          .provisioner = std::move(provisioner),
                          .retention = retention::options_of(from)};
    return [all = std::move(all)](runtime::environment in) { return together::serve(in.bus, in.time, in.health, all); };
  });
}
