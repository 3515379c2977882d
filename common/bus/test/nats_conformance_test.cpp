#include "common/bus/test/nats_stage.hpp"

namespace kopiur::bus {
namespace {

/// A server for each check: starting one costs less than separating the effects of two checks.
void on_nats(conformance::check run_it) {
  testing::nats_server server;
  auto options = conformance::client_of(server);
  options.patience = std::chrono::seconds(10);  // a full stream is tried as long
  conformance::run_on(options, [run_it](conformance::nats_stage& stage) { return run_it(stage); });
}

KOPIUR_BUS_CONFORMANCE(Nats, on_nats);

}  // namespace
}  // namespace kopiur::bus
