#include "common/bus/gate.hpp"

#include <nats/nats.h>

#include "common/bus/connect.hpp"
#include "common/bus/test/nats_stage.hpp"

namespace kopiur::bus {
namespace {

using conformance::client_of;
using testing::nats_server;

/// A connection of nats.c with a gate, without a loop that reads its socket.
struct gated {
  asio::io_context loop;
  std::shared_ptr<gate> events = std::make_shared<gate>(loop, std::weak_ptr<gate_events>());
  natsConnection* connection = nullptr;

  explicit gated(nats_server const& server) {
    auto options = make_options(client_of(server), {}).value();
    events->install(options.get());
    EXPECT_EQ(natsConnection_Connect(&connection, options.get()), NATS_OK);
  }
  ~gated() { natsConnection_Destroy(connection); }
};

/// nats.c calls the closed callback on a thread of its own, also for an attempt that nobody follows any more.
TEST(Gate, MayEndBeforeTheLastCallback) {
  nats_server server({});
  gated abandoned(server), next(server);
  abandoned.events.reset();
  natsConnection_Close(abandoned.connection);
  natsConnection_Close(next.connection);
  next.events->shut(true);  // nats.c calls back in order: both callbacks are over
}

}  // namespace
}  // namespace kopiur::bus
