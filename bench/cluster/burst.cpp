#include <cstdio>

#include "bench/cluster/bench.hpp"
#include "proto/kopiur/names.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"

namespace kopiur::bench {

using gateway::kubernetes::resource_of;
using kubernetes::path_of;

namespace {

/// The Backup that a Job was created for.
std::string served_by(json::value const& job) {
  auto order = json::parse(gateway::annotation(job, gateway::ours("create-job")));
  auto* serves = order ? order->find("serves") : nullptr;
  auto* all = serves ? serves->as_array() : nullptr;
  return all && !all->empty() ? std::string(all->front().text("name")) : std::string();
}

awaitable<void> create_backup(bench_api& api, std::string name, std::string config, sightings& sightings) {
  sightings.asked(name);
  json::value body(json::object{{"apiVersion", proto::api_version},
                                {"kind", "Backup"},
                                {"metadata", json::object{{"name", std::move(name)}}},
                                {"spec", json::object{{"configRef", json::object{{"name", std::move(config)}}}}}});
  co_await api.must({.method = "POST", .path = path_of(*resource_of("Backup"), "default"), .body = std::move(body)});
}

struct work {
  bench_api& api;
  demand what;
  int configs;
  sightings seen, statuses;

  awaitable<void> create(int i) {
    return create_backup(api, what.name + "-" + std::to_string(i), "docs-" + std::to_string(i % configs), seen);
  }

  awaitable<void> one_by_one() {
    for (int i = 0; i < what.count; ++i) {
      co_await create(i);
      co_await seen.until(static_cast<std::size_t>(i) + 1);
      co_await statuses.until(static_cast<std::size_t>(i) + 1);
      co_await api.time.sleep_for(*what.pause);
    }
  }
  awaitable<void> all_at_once() {
    co_await by_clients(what.clients, what.count, [this](int i) { return create(i); });
    co_await seen.until(static_cast<std::size_t>(what.count));
  }
  awaitable<void> act() { return what.pause ? one_by_one() : all_at_once(); }
};

void tell(work const& done) {
  auto& what = done.what;
  auto& seen = done.seen;
  std::printf(R"({"bench":"%s","backups":%d,"clients":%d,"jobs_per_s":%.1f,"p50_ms":%.1f,"p99_ms":%.1f,"max_ms":%.1f)", what.name.c_str(),
              what.count, what.at_a_time(), what.count / seen.seconds(), seen.within(0.5), seen.within(0.99), seen.within(1));
  if (what.pause) std::printf(R"(,"status_p50_ms":%.1f,"status_p99_ms":%.1f)", done.statuses.within(0.5), done.statuses.within(0.99));
  std::printf("}\n");
}

}  // namespace

awaitable<void> burst(bench_api& api, demand what, int configs) {
  auto loop = co_await asio::this_coro::executor;
  auto jobs = path_of(*resource_of("Job"), "default"), backups = path_of(*resource_of("Backup"), "default");
  auto from = co_await version_at(api, jobs), backups_from = co_await version_at(api, backups);
  work it{api, std::move(what), configs, sightings(loop), sightings(loop)};
  auto job_seen = [&](json::value const& job) { it.seen.seen(served_by(job)); };
  auto backup_seen = [&](json::value const& one) {
    std::string name(one.text("metadata.name"));
    if (one.text("status.phase").empty())
      it.statuses.asked(std::move(name));
    else
      it.statuses.seen(name);
  };
  auto done = app::first_of(it.act(), watch(api, jobs, from, job_seen));
  if (it.what.pause)  // in a burst, a second watch would distort the measurement
    co_await app::first_of(std::move(done), watch(api, backups, backups_from, backup_seen));
  else
    co_await std::move(done);
  tell(it);
}

}  // namespace kopiur::bench
