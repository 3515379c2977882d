#include <cstdio>

#include "bench/buckety/bench.hpp"
#include "bench/figures.hpp"
#include "common/blob/s3/store.hpp"
#include "proto/kinds.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"

namespace kopiur::bench {

using gateway::kubernetes::resource_of;
using kubernetes::path_of;

namespace {

constexpr auto bucket_kind = proto::buckety::info.kind, access_kind = proto::buckety_access::info.kind,
               secret_kind = proto::secret::info.kind;

/// An object as a template: without what the server wrote into it.
awaitable<json::value> pattern(bench_api& api, std::string_view kind, std::map<std::string, std::string> query = {}) {
  query.emplace("limit", "1");
  auto const& resource = *resource_of(kind);
  auto items = kubernetes::items_of(co_await api.must({.path = path_of(resource, "default"), .query = {query.begin(), query.end()}}));
  if (items.empty()) throw std::runtime_error("There is no " + std::string(kind) + " to go by: run `burst` before.");
  auto one = std::move(items.front());
  one.set("apiVersion", resource.group_version), one.set("kind", kind);
  auto& metadata = *one.find("metadata");
  for (auto* each :
       {"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "finalizers", "ownerReferences", "namespace"})
    metadata.erase(each);
  co_return one;
}

struct work {
  bench_api& api;
  std::string ns;
  calls each;
  blob::s3::store& store;
  json::value bucket{}, access{}, secret{}, event{};
  std::vector<double> took{};  // milliseconds

  awaitable<void> prepare() {
    bucket = co_await pattern(api, bucket_kind);
    access = co_await pattern(api, access_kind);
    secret = co_await pattern(api, secret_kind, {{"labelSelector", std::string(proto::label::buckety_owned) + "=true"}});
    event = co_await pattern(api, "Event");
    event.find("involvedObject")->set("namespace", ns);
  }
  awaitable<void> create(std::string_view kind, json::value one, std::string name) {
    one.find("metadata")->set("name", std::move(name));
    co_await api.must({.method = "POST", .path = path_of(*resource_of(kind), ns), .body = std::move(one)});
  }
  awaitable<void> patch(std::string_view kind, std::string name, std::string part, json::value change) {
    co_await api.must({.method = "PATCH",
                       .path = path_of(*resource_of(kind), ns, name, part),
                       .body = std::move(change),
                       .content_type = "application/merge-patch+json"});
  }
  /// A different write each time.
  awaitable<void> note(std::string_view kind, std::string name, int i) {
    return patch(kind, std::move(name), "",
                 json::object{{"metadata", json::object{{"annotations", json::object{{"bench/step", std::to_string(i)}}}}}});
  }
  awaitable<void> report(std::string_view kind, std::string name, json::value const& from, int i) {
    auto status = *from.find("status");
    status.set("observedGeneration", i);
    return patch(kind, std::move(name), "status", json::object{{"status", std::move(status)}});
  }
  template <class T>
  T checked(blob::result<T> said) {
    if (!said) throw std::runtime_error(said.error().message);
    if constexpr (!std::is_void_v<T>) return std::move(*said);
  }
  awaitable<void> serve_bucket(std::string name) {
    (void)co_await store.head_bucket(name);  // it does not exist yet
    checked(co_await store.create_bucket(name, ""));
    for (int n = 1; n < each.heads; ++n) checked(co_await store.head_bucket(name));
    for (int n = 0; n < each.lists; ++n) checked(co_await store.list(name, {.page_size = 1}));
  }
  awaitable<void> serve(std::string name) {
    co_await create(bucket_kind, bucket, name);
    for (int n = 0; n < each.patches; ++n) co_await note(bucket_kind, name, n);
    co_await serve_bucket(name);
    for (int n = 0; n < each.statuses; ++n) co_await report(bucket_kind, name, bucket, n);
    co_await create(access_kind, access, name);
    for (int n = 0; n < each.access_patches; ++n) co_await note(access_kind, name, n);
    for (int n = 0; n < each.reads; ++n) co_await api.must({.path = path_of(*resource_of(access_kind), ns, name)});
    co_await create(secret_kind, secret, name);
    for (int n = 0; n < each.access_statuses; ++n) co_await report(access_kind, name, access, n);
    for (int n = 0; n < each.events; ++n) co_await create("Event", event, name + "." + std::to_string(n));
  }
  awaitable<void> one(int i) {
    auto from = steady::now();
    co_await serve(ns + "-" + std::to_string(i));
    took.push_back(milliseconds(steady::now() - from));
  }
};

}  // namespace

awaitable<void> plain(bench_api& api, bucket_demand what, calls each, store_account account) {
  json::value home(json::object{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", json::object{{"name", what.name}}}});
  co_await api.must({.method = "POST", .path = path_of(*resource_of("Namespace")), .body = std::move(home)});
  http::pool connections(api.time, co_await asio::this_coro::executor);
  blob::s3::store store(api.time, blob::over(connections),
                        {.endpoint = account.endpoint, .region = "us-east-1", .addressing = blob::s3::style::path, .identity = [account] {
                           return blob::s3::credentials{account.key, account.secret};
                         }});
  work it{.api = api, .ns = what.name, .each = each, .store = store};
  co_await it.prepare();
  auto from = steady::now();
  co_await by_clients(what.clients, what.count, [&](int i) { return it.one(i); });
  std::printf(R"({"bench":"%s","count":%d,"clients":%d,"per_s":%.1f,"p50_ms":%.1f,"p99_ms":%.1f})"
              "\n",
              what.name.c_str(), what.count, what.clients, what.count / seconds_since(from), quantile(it.took, 0.5),
              quantile(it.took, 0.99));
}

}  // namespace kopiur::bench
