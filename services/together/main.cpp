#include "services/gateway/shell/settings.hpp"
#include "services/mover-orchestration/shell/settings.hpp"
#include "services/provisioner/shell/settings.hpp"
#include "services/together/shell/serve.hpp"

int main() {
  using namespace kopiur;
  return runtime::run("services", [](runtime::settings const& from) -> runtime::program {
    together::options all{.gateway = gateway::options_of(from),
                          .lease = {.cluster = from.cluster},
                          .orchestration = mover_orchestration::options_of(from),
                          .provisioner = provisioner::options_of(from)};
    return [all = std::move(all)](runtime::environment in) { return together::serve(in.bus, in.time, in.health, all); };
  });
}
