#include <cstdio>

#include "bench/cluster/bench.hpp"
#include "bench/figures.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"

namespace kopiur::bench {

using gateway::kubernetes::resource_of;
using kubernetes::path_of;

namespace {

/// One of our objects in that collection as a template: without what the server wrote into it.
awaitable<json::value> pattern(bench_api& api, std::string kind) {
  auto const& resource = *resource_of(kind);
  call first{.path = path_of(resource, "default"), .query = {{"limit", "1"}}};
  if (kind != "Backup") first.query.emplace("labelSelector", gateway::ours("run"));
  auto items = kubernetes::items_of(co_await api.must(std::move(first)));
  if (items.empty()) throw std::runtime_error("There is no " + kind + " to go by: run `burst` before.");
  auto one = std::move(items.front());
  one.set("apiVersion", resource.group_version), one.set("kind", kind);
  auto& metadata = *one.find("metadata");
  for (auto* each : {"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "finalizers", "ownerReferences",
                     "namespace", "labels"})
    metadata.erase(each);  // the gateway would process an object with its labels
  if (kind == "Job") {
    auto& spec = *one.find("spec");
    spec.erase("selector");
    if (auto* labels = spec.find("template")->find("metadata")) labels->erase("labels");
    one.erase("status");
  }
  co_return one;
}

struct work {
  bench_api& api;
  std::string ns;
  json::value job{}, secret{}, backup{}, status{};
  std::optional<writes> each{};
  std::vector<double> took{};  // milliseconds

  awaitable<void> create(std::string kind, json::value one, std::string name) {
    one.find("metadata")->set("name", std::move(name));
    co_await api.must({.method = "POST", .path = path_of(*resource_of(kind), ns), .body = std::move(one)});
  }
  awaitable<void> patch(std::string name, std::string part, json::value change) {
    co_await api.must({.method = "PATCH",
                       .path = path_of(*resource_of("Backup"), ns, name, part),
                       .body = std::move(change),
                       .content_type = "application/merge-patch+json"});
  }
  static json::value note(int i) {
    return json::object{{"metadata", json::object{{"annotations", json::object{{"bench/step", std::to_string(i)}}}}}};
  }
  /// A different status each time.
  json::value next_status(int i) const {
    auto next = status;
    next.set("phase", i == 0 ? "Pending" : "Running");
    return json::object{{"status", std::move(next)}};
  }
  awaitable<void> prepare() {
    job = co_await pattern(api, "Job");
    if (!each) co_return;
    if (each->secrets > 0) secret = co_await pattern(api, "Secret");
    backup = co_await pattern(api, "Backup");
    status = *backup.find("status");
    backup.erase("status");
  }
  awaitable<void> write(std::string name) {
    if (!each) co_return co_await create("Job", job, name);
    co_await create("Backup", backup, name);
    for (int n = 0; n < each->backup_patches; ++n) co_await patch(name, "", note(n));
    for (int n = 0; n < each->status_patches; ++n) co_await patch(name, "status", next_status(n));
    for (int n = 0; n < each->jobs; ++n) co_await create("Job", job, name + "-" + std::to_string(n));
    for (int n = 0; n < each->secrets; ++n) co_await create("Secret", secret, name + "-" + std::to_string(n));
  }
  awaitable<void> one(int i, std::optional<duration> pause) {
    auto from = steady::now();
    co_await write("plain-" + std::to_string(i));
    took.push_back(milliseconds(steady::now() - from));
    if (pause) co_await api.time.sleep_for(*pause);
  }
};

}  // namespace

awaitable<void> plain(bench_api& api, demand what, std::optional<writes> each) {
  json::value home(json::object{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", json::object{{"name", what.name}}}});
  co_await api.must({.method = "POST", .path = path_of(*resource_of("Namespace")), .body = std::move(home)});
  work it{.api = api, .ns = what.name, .each = each};
  co_await it.prepare();
  auto from = steady::now();
  co_await by_clients(what.at_a_time(), what.count, [&](int i) { return it.one(i, what.pause); });
  std::printf(R"({"bench":"%s","count":%d,"clients":%d,"per_s":%.1f,"p50_ms":%.1f,"p99_ms":%.1f})"
              "\n",
              what.name.c_str(), what.count, what.at_a_time(), what.count / seconds_since(from), quantile(it.took, 0.5),
              quantile(it.took, 0.99));
}

}  // namespace kopiur::bench
