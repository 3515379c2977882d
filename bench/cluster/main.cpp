#include <cstdio>

#include "bench/cluster/bench.hpp"
#include "common/testing/run.hpp"

namespace kopiur::bench {

namespace {

constexpr char const* usage =
    "usage: cluster_load KUBECONFIG burst NAME count=N [clients=8] [configs=1]\n"
    "       cluster_load KUBECONFIG single NAME count=N [configs=1] [pause_ms=100]\n"
    "       cluster_load KUBECONFIG jobs NAME count=N [clients=8]\n"
    "       cluster_load KUBECONFIG plain NAME count=N [clients=8] [pause_ms=M] [patches=P] [statuses=S] [secrets=C] [jobs=J]\n";

struct options {
  std::string kubeconfig, what, name;
  bench::numbers numbers;
};

awaitable<void> act(asio::io_context& loop, options options) {
  bench_api api(loop, options.kubeconfig);
  demand what{options.name, options.numbers.of("count", 100), options.numbers.of("clients", 8)};
  if (options.what == "single" || options.numbers.has("pause_ms")) what.pause = duration(options.numbers.of("pause_ms", 100));
  if (options.what == "burst" || options.what == "single") co_return co_await burst(api, what, options.numbers.of("configs", 1));
  if (options.what == "jobs") co_return co_await plain(api, what, std::nullopt);
  writes each{options.numbers.of("patches", 0), options.numbers.of("statuses", 0), options.numbers.of("secrets", 0),
              options.numbers.of("jobs", 1)};
  if (options.what == "plain") co_return co_await plain(api, what, each);
  throw std::runtime_error(usage);
}

}  // namespace
}  // namespace kopiur::bench

int main(int count, char** arguments) try {
  if (count < 4) throw std::runtime_error(kopiur::bench::usage);
  kopiur::bench::options options{arguments[1], arguments[2], arguments[3], {4, count, arguments, kopiur::bench::usage}};
  kopiur::testing::run([&](boost::asio::io_context& loop) { return kopiur::bench::act(loop, options); });
  return 0;
} catch (std::exception const& failed) {
  std::fprintf(stderr, "%s\n", failed.what());
  return 2;
}
