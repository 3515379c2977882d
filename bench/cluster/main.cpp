#include <cstdio>
#include <map>

#include "bench/cluster/bench.hpp"
#include "common/testing/run.hpp"

namespace kopiur::bench {

using kubernetes::access;

namespace {

access administrator(std::string const& kubeconfig) {
  auto found = kubernetes::from_kubeconfig(kubeconfig);
  if (!found) throw std::runtime_error(found.error());
  return std::move(*found);
}

}  // namespace

bench_api::bench_api(asio::io_context& loop, std::string const& kubeconfig)
    : time(loop.get_executor()), client(time, loop.get_executor(), administrator(kubeconfig)) {}

awaitable<json::value> bench_api::must(call what) {
  auto path = what.method + " " + what.path;
  auto answer = co_await client.ask(std::move(what));
  if (!answer) throw std::runtime_error(path + ": " + answer.error().message);
  co_return std::move(*answer);
}

namespace {

awaitable<void> one_client(int& next, int count, std::function<awaitable<void>(int)> const& act) {
  while (next < count) co_await act(next++);
}

}  // namespace

awaitable<void> by_clients(int clients, int count, std::function<awaitable<void>(int)> act) {
  int next = 0;
  app::nursery all(co_await asio::this_coro::executor);
  for (int i = 0; i < clients; ++i) all.spawn(one_client(next, count, act));
  co_await all.join();
}

double seconds_since(steady::time_point from) { return std::chrono::duration<double>(steady::now() - from).count(); }

namespace {

constexpr char const* usage =
    "usage: cluster_load KUBECONFIG burst NAME count=N [clients=8] [configs=1]\n"
    "       cluster_load KUBECONFIG single NAME count=N [configs=1] [pause_ms=100]\n"
    "       cluster_load KUBECONFIG jobs NAME count=N [clients=8]\n"
    "       cluster_load KUBECONFIG plain NAME count=N [clients=8] [pause_ms=M] [patches=P] [statuses=S] [secrets=C] [jobs=J]\n";

struct options {
  std::string kubeconfig, what, name;
  std::map<std::string, int> numbers;

  int number(std::string const& option, int otherwise) const {
    auto found = numbers.find(option);
    return found == numbers.end() ? otherwise : found->second;
  }
};

options read(int count, char** arguments) {
  options settings{arguments[1], arguments[2], arguments[3], {}};
  for (int i = 4; i < count; ++i) {
    std::string_view each = arguments[i];
    auto sign = each.find('=');
    if (sign == each.npos) throw std::runtime_error(usage);
    settings.numbers[std::string(each.substr(0, sign))] = std::stoi(std::string(each.substr(sign + 1)));
  }
  return settings;
}

awaitable<void> act(asio::io_context& loop, options options) {
  bench_api api(loop, options.kubeconfig);
  demand what{options.name, options.number("count", 100), options.number("clients", 8)};
  if (options.what == "single" || options.numbers.contains("pause_ms")) what.pause = duration(options.number("pause_ms", 100));
  if (options.what == "burst" || options.what == "single") co_return co_await burst(api, what, options.number("configs", 1));
  if (options.what == "jobs") co_return co_await plain(api, what, std::nullopt);
  writes each{options.number("patches", 0), options.number("statuses", 0), options.number("secrets", 0), options.number("jobs", 1)};
  if (options.what == "plain") co_return co_await plain(api, what, each);
  throw std::runtime_error(usage);
}

}  // namespace
}  // namespace kopiur::bench

int main(int count, char** arguments) try {
  if (count < 4) throw std::runtime_error(kopiur::bench::usage);
  auto options = kopiur::bench::read(count, arguments);
  kopiur::testing::run([&](boost::asio::io_context& loop) { return kopiur::bench::act(loop, options); });
  return 0;
} catch (std::exception const& failed) {
  std::fprintf(stderr, "%s\n", failed.what());
  return 2;
}
