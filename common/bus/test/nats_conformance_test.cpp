#include "common/bus/test/nats_stage.hpp"

namespace kopiur::bus {
namespace {

/// A server for each check: starting one costs less than separating the effects of two checks.
void on_nats(conformance::check run_it) {
  testing::nats_server server;
  conformance::run_on(server, [run_it](conformance::nats_stage& stage) { return run_it(stage); });
}

KOPIUR_BUS_CONFORMANCE(Nats, on_nats);

}  // namespace
}  // namespace kopiur::bus
