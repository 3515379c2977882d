#include <cstdlib>

#include "services/gateway/service.hpp"
#include "services/runtime/shell/runtime.hpp"

namespace {

using namespace kopiur;

std::string variable(char const* name, std::string otherwise) {
  auto* value = std::getenv(name);
  return value ? value : otherwise;
}

/// KOPIUR_DATA: the data folder; KOPIUR_MANIFESTS: the folder of manifests; KOPIUR_MOVER: the mover's program.
gateway::options options_for(runtime::settings const& with) {
  return {.cluster = with.cluster,
          .data = variable("KOPIUR_DATA", "kopiur-data"),
          .manifests = variable("KOPIUR_MANIFESTS", ""),
          .mover = variable("KOPIUR_MOVER", "kopiur-mover")};
}

}  // namespace

int main() { return runtime::run<gateway::service, gateway::options>("gateway", options_for); }
