#include <cstdio>
#include <map>

#include "bench/cluster/bench.hpp"
#include "common/testing/run.hpp"

namespace kopiur::bench {

using gateway::kubernetes::access;

namespace {

access administrator(std::string const& kubeconfig) {
  auto found = gateway::kubernetes::from_kubeconfig(kubeconfig);
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

  int number(std::string const& of, int otherwise) const {
    auto found = numbers.find(of);
    return found == numbers.end() ? otherwise : found->second;
  }
};

options read(int count, char** arguments) {
  options how{arguments[1], arguments[2], arguments[3], {}};
  for (int i = 4; i < count; ++i) {
    std::string_view each = arguments[i];
    auto sign = each.find('=');
    if (sign == each.npos) throw std::runtime_error(usage);
    how.numbers[std::string(each.substr(0, sign))] = std::stoi(std::string(each.substr(sign + 1)));
  }
  return how;
}

awaitable<void> act(asio::io_context& loop, options how) {
  bench_api api(loop, how.kubeconfig);
  demand what{how.name, how.number("count", 100), how.number("clients", 8)};
  if (how.what == "single" || how.numbers.contains("pause_ms")) what.pause = duration(how.number("pause_ms", 100));
  if (how.what == "burst" || how.what == "single") co_return co_await burst(api, what, how.number("configs", 1));
  if (how.what == "jobs") co_return co_await plain(api, what, std::nullopt);
  writes each{how.number("patches", 0), how.number("statuses", 0), how.number("secrets", 0), how.number("jobs", 1)};
  if (how.what == "plain") co_return co_await plain(api, what, each);
  throw std::runtime_error(usage);
}

}  // namespace
}  // namespace kopiur::bench

int main(int count, char** arguments) try {
  if (count < 4) throw std::runtime_error(kopiur::bench::usage);
  auto how = kopiur::bench::read(count, arguments);
  kopiur::testing::run([&](boost::asio::io_context& loop) { return kopiur::bench::act(loop, how); });
  return 0;
} catch (std::exception const& failed) {
  std::fprintf(stderr, "%s\n", failed.what());
  return 2;
}
