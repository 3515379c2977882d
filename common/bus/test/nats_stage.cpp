#include "common/bus/test/nats_stage.hpp"

#include "common/testing/run.hpp"

namespace kopiur::bus::conformance {

namespace {

asio::awaitable<void> drive(asio::io_context& loop, nats_options options, std::function<asio::awaitable<void>(nats_stage&)> check) {
  nats_stage stage(loop, std::move(options));
  std::exception_ptr failed;
  try {
    co_await check(stage);
  } catch (...) {  // rethrown once everything is closed
    failed = std::current_exception();
  }
  co_await stage.close();
  if (failed) std::rethrow_exception(failed);
}

}  // namespace

asio::awaitable<nats_port*> nats_stage::open() {
  auto opened = co_await nats_port::open(loop_, options_);
  if (!opened) throw broken(opened.error().text);
  ports_.push_back(*std::move(opened));
  co_return ports_.back().get();
}

asio::awaitable<port*> nats_stage::connect() { co_return co_await open(); }

asio::awaitable<void> nats_stage::close() {
  for (auto& each : ports_) co_await each->close();
}

nats_options client_of(testing::nats_server const& server) { return {.urls = {server.url()}, .name = "test"}; }

void run_on(nats_options options, std::function<asio::awaitable<void>(nats_stage&)> check) {
  testing::run([&](asio::io_context& loop) { return drive(loop, options, check); });
}

void run_on(testing::nats_server const& server, std::function<asio::awaitable<void>(nats_stage&)> check) {
  run_on(client_of(server), std::move(check));
}

error refusal_of_opening(nats_options const& options) {
  error refusal;
  testing::run([&](asio::io_context& loop) {
    return [](asio::io_context& context, nats_options settings, error& why) -> asio::awaitable<void> {
      auto opened = co_await nats_port::open(context, std::move(settings));
      if (!opened) why = opened.error();
      if (!opened) co_return;
      ADD_FAILURE() << "the bus accepted the login";
      co_await (*opened)->close();
    }(loop, options, refusal);
  });
  return refusal;
}

}  // namespace kopiur::bus::conformance
