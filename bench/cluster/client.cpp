#include "bench/cluster/client.hpp"

#include <algorithm>

#include "bench/figures.hpp"

namespace kopiur::bench {

using kubernetes::access;

namespace {

access administrator(std::string const& kubeconfig) {
  auto found = kubernetes::from_kubeconfig(kubeconfig);
  if (!found) throw std::runtime_error(found.error());
  return std::move(*found);
}

awaitable<void> one_client(int& next, int count, std::function<awaitable<void>(int)> const& act) {
  while (next < count) co_await act(next++);
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

awaitable<void> by_clients(int clients, int count, std::function<awaitable<void>(int)> act) {
  int next = 0;
  app::nursery all(co_await asio::this_coro::executor);
  for (int i = 0; i < clients; ++i) all.spawn(one_client(next, count, act));
  co_await all.join();
}

double seconds_since(steady::time_point from) { return std::chrono::duration<double>(steady::now() - from).count(); }

numbers::numbers(int from, int count, char** words, char const* usage) {
  for (int i = from; i < count; ++i) {
    std::string_view each = words[i];
    auto sign = each.find('=');
    if (sign == each.npos) throw std::runtime_error(usage);
    all_[std::string(each.substr(0, sign))] = std::stoi(std::string(each.substr(sign + 1)));
  }
}

int numbers::of(std::string const& name, int otherwise) const {
  auto found = all_.find(name);
  return found == all_.end() ? otherwise : found->second;
}

void sightings::seen(std::string const& name) {
  if (!asked_.contains(name) || !seen_.emplace(name, steady::now()).second) return;
  changed_.notify();
}

awaitable<void> sightings::until(std::size_t count) {
  while (seen_.size() < count) co_await changed_.wait(changed_.epoch());
}

double sightings::within(double share) const {
  std::vector<double> all;
  for (auto& [name, at] : seen_) all.push_back(milliseconds(at - asked_.at(name)));
  return quantile(all, share);
}

double sightings::seconds() const {
  auto first = std::ranges::min_element(asked_, {}, [](auto& one) { return one.second; })->second;
  auto last = std::ranges::max_element(seen_, {}, [](auto& one) { return one.second; })->second;
  return std::chrono::duration<double>(last - first).count();
}

awaitable<std::string> version_at(bench_api& api, std::string path) {
  auto now = co_await api.must({.path = std::move(path), .query = {{"limit", "1"}}});
  co_return std::string(now.text("metadata.resourceVersion"));
}

awaitable<void> watch(bench_api& api, std::string path, std::string version, std::function<void(json::value const&)> tell) {
  for (;;) {
    auto stream = co_await api.client.stream({.path = path, .query = {{"watch", "true"}, {"resourceVersion", version}}});
    if (!stream) throw std::runtime_error(stream.error().message);
    while (auto line = co_await (*stream)->line()) {
      auto change = json::parse(*line);
      auto* object = change ? change->find("object") : nullptr;
      if (!object || change->text("type") == "ERROR") throw std::runtime_error("the watch at " + path + " says " + *line);
      version = object->text("metadata.resourceVersion");
      tell(*object);
    }
  }
}

}  // namespace kopiur::bench
