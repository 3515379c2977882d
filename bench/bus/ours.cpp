#include <boost/asio.hpp>
#include <stdexcept>

#include "bench/bus/bench.hpp"
#include "common/app/async.hpp"
#include "common/bus/nats_port.hpp"

namespace kopiur::bench {

namespace {

using bus::nats_port;
using steady = std::chrono::steady_clock;
namespace asio = boost::asio;

template <class T>
T must(bus::result<T> from) {
  if (!from) throw std::runtime_error(from.error().text);
  if constexpr (!std::is_void_v<T>) return *std::move(from);
}

/// Opens a port, runs `work` on it, closes it; returns the seconds that `work` took.
double timed(std::string const& url, std::function<asio::awaitable<void>(nats_port&)> work) {
  asio::io_context loop(1);
  double seconds = 0;
  std::exception_ptr failed;
  auto whole = [](asio::io_context& context, std::string server, std::function<asio::awaitable<void>(nats_port&)> inner,
                  double& took) -> asio::awaitable<void> {
    auto bus = must(co_await nats_port::open(context, {.urls = {server}}));
    auto start = steady::now();
    co_await inner(*bus);
    took = std::chrono::duration<double>(steady::now() - start).count();
    co_await bus->close();
  };
  asio::co_spawn(loop, whole(loop, url, std::move(work), seconds), [&](std::exception_ptr e) { failed = e, loop.stop(); });
  loop.run();
  if (failed) std::rethrow_exception(failed);
  return seconds;
}

asio::awaitable<void> line(nats_port& bus, job const& what, int& left) {
  auto const subject = what.stream + ".x";
  while (left-- > 0) must(co_await bus.publish({.subject = subject, .body = what.body}));
}

asio::awaitable<void> publish_all(nats_port& bus, job const& what) {
  int left = what.messages;
  app::nursery lines(co_await asio::this_coro::executor);
  for (int i = 0; i < what.in_flight; ++i) lines.spawn(line(bus, what, left));
  co_await lines.join();
}

asio::awaitable<void> pull_all(nats_port& bus, job const& what) {
  auto work = bus.work(what.stream, "workers", what.in_flight);
  for (int i = 0; i < what.messages; ++i) work->ack(co_await work->next());
}

}  // namespace

double publish_ours(job const& what) {
  return what.messages / timed(what.url, [&](nats_port& bus) { return publish_all(bus, what); });
}

double pull_ours(job const& what) {
  return what.messages / timed(what.url, [&](nats_port& bus) { return pull_all(bus, what); });
}

void make_stream(std::string const& url, std::string const& name) {
  timed(url, [&](nats_port& bus) {
    return [](nats_port& port, std::string stream) -> asio::awaitable<void> {
      must(co_await port.ensure(bus::stream_config{.name = stream, .subjects = {stream + ".>"}}));
      must(co_await port.ensure(bus::consumer_config{.stream = stream, .name = "workers", .max_ack_pending = 10'000}));
    }(bus, name);
  });
}

}  // namespace kopiur::bench
