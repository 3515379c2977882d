#pragma once
#include <functional>

#include "common/app/system_clock.hpp"
#include "common/bus/nats_port.hpp"
#include "common/bus/test/conformance.hpp"
#include "common/testing/nats_server.hpp"

namespace kopiur::bus::conformance {

/// A stage on a real server and real time.
class nats_stage final : public stage {
 public:
  nats_stage(asio::io_context& loop, nats_options options) : loop_(loop), options_(std::move(options)), time_(loop.get_executor()) {}
  asio::awaitable<port*> connect() override;
  /// The same, with its concrete type.
  asio::awaitable<nats_port*> open();
  clock& time() override { return time_; }
  asio::io_context& loop() { return loop_; }
  asio::awaitable<void> close();

 private:
  asio::io_context& loop_;
  nats_options options_;
  app::system_clock time_;
  std::vector<std::unique_ptr<nats_port>> ports_;
};

/// Options of a client of that server, with a name, for a stage.
nats_options client_of(testing::nats_server const&);
/// Runs a check against a server, then closes what the check opened.
void run_on(testing::nats_server const&, std::function<asio::awaitable<void>(nats_stage&)>);
void run_on(nats_options, std::function<asio::awaitable<void>(nats_stage&)>);
/// The error with which opening a port is refused. An accepted opening fails the test.
error refusal_of_opening(nats_options const&);

}  // namespace kopiur::bus::conformance
