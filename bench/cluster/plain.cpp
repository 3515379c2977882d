#include <cstdio>

#include "bench/cluster/bench.hpp"
#include "proto/kinds/names.hpp"

namespace kopiur::bench {

using gateway::kubernetes::path_of;

namespace {

/// An object of that collection as a pattern: without what the server wrote into it.
awaitable<json::value> pattern(bench_api& api, std::string version, std::string plural) {
  auto list = co_await api.must({.path = path_of(version, plural, "default"), .query = {{"limit", "1"}}});
  auto items = gateway::kubernetes::items_of(std::move(list));
  if (items.empty()) throw std::runtime_error("There is none of " + plural + " to go by: run `burst` before.");
  auto one = std::move(items.front());
  one.set("apiVersion", version);
  auto& metadata = *one.find("metadata");
  for (auto* each :
       {"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "finalizers", "ownerReferences", "namespace"})
    metadata.erase(each);
  if (auto* spec = one.find("spec"); spec && plural == "jobs") {
    spec->erase("selector");
    if (auto* labels = spec->find("template")->find("metadata")) labels->erase("labels");
    metadata.erase("labels");
  }
  one.erase("status");
  one.set("kind", plural == "jobs" ? "Job" : "Backup");
  co_return one;
}

struct work {
  bench_api& api;
  std::string ns;
  json::value job, backup;
  bool jobs_alone;
  writes each;

  awaitable<void> create(std::string version, std::string plural, json::value one, std::string name) {
    one.find("metadata")->set("name", std::move(name));
    co_await api.must({.method = "POST", .path = path_of(version, plural, ns), .body = std::move(one)});
  }
  awaitable<void> patch(std::string name, std::string part, json::value change) {
    co_await api.must({.method = "PATCH",
                       .path = path_of(proto::api_version, "backups", ns, name, part),
                       .body = std::move(change),
                       .content_type = "application/merge-patch+json"});
  }
  static json::value note(int i) {
    return json::object{{"metadata", json::object{{"annotations", json::object{{"bench/step", std::to_string(i)}}}}}};
  }
  /// A status as ours, about as long.
  static json::value status(int i) {
    json::value condition(json::object{{"type", "Ready"},
                                       {"status", "False"},
                                       {"reason", "Step" + std::to_string(i)},
                                       {"message", "The mover takes the snapshot; this is step " + std::to_string(i) + "."},
                                       {"lastTransitionTime", "2026-01-01T00:00:00Z"}});
    return json::object{
        {"status", json::object{{"phase", i > 1 ? "Running" : "Pending"}, {"conditions", json::array{std::move(condition)}}}}};
  }
  awaitable<void> one(int i) {
    auto name = "plain-" + std::to_string(i);
    if (!jobs_alone) {
      co_await create(std::string(proto::api_version), "backups", backup, name);
      for (int n = 0; n < each.backup_patches; ++n) co_await patch(name, "", note(n));
      for (int n = 0; n < each.status_patches; ++n) co_await patch(name, "status", status(n));
      for (int n = 0; n < each.secrets; ++n)
        co_await create("v1", "secrets",
                        json::object{{"apiVersion", "v1"},
                                     {"kind", "Secret"},
                                     {"metadata", json::object{}},
                                     {"stringData", json::object{{"password", "a-password"}}}},
                        name + "-" + std::to_string(n));
    }
    for (int n = 0; n < each.jobs; ++n) co_await create("batch/v1", "jobs", job, name + "-" + std::to_string(n));
  }
};

}  // namespace

awaitable<void> plain(bench_api& api, demand what, bool jobs_alone, writes each) {
  json::value home(json::object{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", json::object{{"name", what.name}}}});
  co_await api.must({.method = "POST", .path = path_of("v1", "namespaces"), .body = std::move(home)});
  auto job = co_await pattern(api, "batch/v1", "jobs"), backup = co_await pattern(api, std::string(proto::api_version), "backups");
  work it{api, what.name, std::move(job), std::move(backup), jobs_alone, each};
  auto from = steady::now();
  co_await by_clients(what.clients, what.count, [&it](int i) { return it.one(i); });
  std::printf(R"({"bench":"%s","count":%d,"clients":%d,"per_s":%.1f})"
              "\n",
              what.name.c_str(), what.count, what.clients, what.count / seconds_since(from));
}

}  // namespace kopiur::bench
