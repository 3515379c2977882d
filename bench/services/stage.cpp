#include "bench/services/stage.hpp"

#include <boost/asio.hpp>
#include <cstdlib>
#include <fstream>

#include "common/app/async.hpp"
#include "proto/streams.hpp"

namespace kopiur::bench {

namespace {

asio::awaitable<void> line(bus::port& port, int& next, int count, std::function<bus::publication(int)> make) {
  while (next < count) must(co_await port.publish(make(next++)));
}

}  // namespace

asio::awaitable<std::unique_ptr<bus::nats_port>> open_bus(asio::io_context& loop, std::string url, std::string cluster) {
  auto bus = must(co_await bus::nats_port::open(loop, {.urls = {url}, .name = "bench"}));
  for (auto& each : proto::streams(1)) must(co_await bus->ensure(std::move(each)));
  for (auto& each : proto::consumers(cluster)) must(co_await bus->ensure(std::move(each)));
  co_return bus;
}

asio::awaitable<void> publish_all(bus::port& port, int count, std::function<bus::publication(int)> make) {
  int next = 0;
  app::nursery lines(co_await asio::this_coro::executor);
  for (int i = 0; i < 256; ++i) lines.spawn(line(port, next, count, make));
  co_await lines.join();
}

double memory_mib(pid_t id, std::string_view figure) {
  std::ifstream in("/proc/" + std::to_string(id) + "/status");
  auto first = std::string(figure) + ":";
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(first)) return std::atof(line.c_str() + first.size()) / 1024;
  return 0;
}

std::vector<std::string> environment(std::string const& url, std::string const& cluster) {
  std::vector<std::string> all{"KOPIUR_NATS_URL=" + url, "KOPIUR_CLUSTER=" + cluster};
  for (auto* name : {"PATH", "HOME", "TZDIR"})
    if (auto* value = std::getenv(name)) all.push_back(std::string(name) + "=" + value);
  return all;
}

}  // namespace kopiur::bench
