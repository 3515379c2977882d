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
boost::asio::awaitable<void> serve(runtime::environment in) {
  gateway::options how{.cluster = in.with.cluster,
                       .data = variable("KOPIUR_DATA", "kopiur-data"),
                       .manifests = variable("KOPIUR_MANIFESTS", ""),
                       .mover = variable("KOPIUR_MOVER", "kopiur-mover")};
  gateway::service one(in.bus, in.time, std::move(how));
  co_await one.serve();
}

}  // namespace

int main() {
  return runtime::run({.name = "gateway", .serve = serve, .ready = [] { return true; }});
}
