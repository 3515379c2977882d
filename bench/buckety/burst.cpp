#include <cstdio>

#include "bench/buckety/bench.hpp"
#include "proto/kinds.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"

namespace kopiur::bench {

using gateway::kubernetes::resource_of;
using kubernetes::path_of;

namespace {

std::string bucketies() { return path_of(*resource_of(proto::buckety::info.kind), "default"); }

awaitable<void> create_one(bench_api& api, bucket_demand const& what, int i, std::function<void(std::string)> asked) {
  auto name = what.name + "-" + std::to_string(i);
  asked(name);
  json::value spec = json::object{{"backend", what.backend}, {"defaultAccess", json::object{{"credentialsSecretName", name}}}};
  json::value body = json::object{{"apiVersion", proto::buckety::info.api_version},
                                  {"kind", proto::buckety::info.kind},
                                  {"metadata", json::object{{"name", name}}},
                                  {"spec", std::move(spec)}};
  co_await api.must({.method = "POST", .path = bucketies(), .body = std::move(body)});
}

bool is_ready(json::value const& object) {
  auto* all = object.at("status.conditions");
  if (!all || !all->as_array()) return false;
  return std::ranges::any_of(*all->as_array(),
                             [](json::value const& one) { return one.text("type") == "Ready" && one.text("status") == "True"; });
}

awaitable<void> one_by_one(bench_api& api, bucket_demand const& what, sightings& seen) {
  for (int i = 0; i < what.count; ++i) {
    co_await create_one(api, what, i, [&](std::string name) { seen.asked(std::move(name)); });
    co_await seen.until(static_cast<std::size_t>(i) + 1);
    co_await api.time.sleep_for(*what.pause);
  }
}

awaitable<void> all_at_once(bench_api& api, bucket_demand const& what, sightings& seen) {
  co_await by_clients(what.clients, what.count,
                      [&](int i) { return create_one(api, what, i, [&](std::string name) { seen.asked(std::move(name)); }); });
  co_await seen.until(static_cast<std::size_t>(what.count));
}

}  // namespace

awaitable<void> burst(bench_api& api, bucket_demand what) {
  auto from = co_await version_at(api, bucketies());
  sightings seen(co_await asio::this_coro::executor);
  auto look = [&](json::value const& object) {
    if (is_ready(object)) seen.seen(std::string(object.text("metadata.name")));
  };
  co_await app::first_of(what.pause ? one_by_one(api, what, seen) : all_at_once(api, what, seen), watch(api, bucketies(), from, look));
  std::printf(R"({"bench":"%s","bucketies":%d,"clients":%d,"ready_per_s":%.1f,"seconds":%.2f,"p50_ms":%.1f,"p99_ms":%.1f,"max_ms":%.1f})"
              "\n",
              what.name.c_str(), what.count, what.at_a_time(), what.count / seen.seconds(), seen.seconds(), seen.within(0.5),
              seen.within(0.99), seen.within(1));
}

awaitable<void> create(bench_api& api, bucket_demand what) {
  co_await by_clients(what.clients, what.count, [&](int i) { return create_one(api, what, i, [](std::string) {}); });
}

}  // namespace kopiur::bench
