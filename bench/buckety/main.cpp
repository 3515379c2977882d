#include <cstdio>
#include <cstdlib>

#include "bench/buckety/bench.hpp"
#include "common/testing/run.hpp"

namespace kopiur::bench {

namespace {

constexpr char const* usage =
    "usage: buckety_load KUBECONFIG burst|create NAME BACKEND count=N [clients=8] [pause_ms=M]\n"
    "       buckety_load KUBECONFIG plain NAME ENDPOINT count=N [clients=8] [reads=R] [patches=P] [statuses=S] [access_patches=P]\n"
    "           [access_statuses=S] [events=E] [heads=H] [lists=L]   with the keys in STORE_KEY and STORE_SECRET\n";

struct options {
  std::string kubeconfig, what, name, where;
  bench::numbers numbers;
};

std::string variable(char const* name) {
  auto* value = std::getenv(name);
  return value ? value : "";
}

awaitable<void> act(asio::io_context& loop, options options) {
  bench_api api(loop, options.kubeconfig);
  auto const& number = options.numbers;
  bucket_demand what{.name = options.name, .backend = options.where, .count = number.of("count", 100), .clients = number.of("clients", 8)};
  if (number.has("pause_ms")) what.pause = duration(number.of("pause_ms", 100));
  if (options.what == "burst") co_return co_await burst(api, what);
  if (options.what == "create") co_return co_await create(api, what);
  if (options.what != "plain") throw std::runtime_error(usage);
  calls each{.reads = number.of("reads", 0),
             .patches = number.of("patches", 0),
             .statuses = number.of("statuses", 0),
             .access_patches = number.of("access_patches", 0),
             .access_statuses = number.of("access_statuses", 0),
             .events = number.of("events", 0),
             .heads = number.of("heads", 1),
             .lists = number.of("lists", 0)};
  co_await plain(api, what, each, {.endpoint = options.where, .key = variable("STORE_KEY"), .secret = variable("STORE_SECRET")});
}

}  // namespace
}  // namespace kopiur::bench

int main(int count, char** arguments) try {
  using namespace kopiur::bench;
  if (count < 5) throw std::runtime_error(usage);
  options settings{arguments[1], arguments[2], arguments[3], arguments[4], {5, count, arguments, usage}};
  kopiur::testing::run([&](boost::asio::io_context& loop) { return act(loop, settings); });
  return 0;
} catch (std::exception const& failed) {
  std::fprintf(stderr, "%s\n", failed.what());
  return 2;
}
