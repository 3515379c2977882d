#include <atomic>
#include <boost/asio.hpp>
#include <cstdio>
#include <thread>

#include "bench/figures.hpp"
#include "bench/services/bench.hpp"
#include "bench/services/stage.hpp"
#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/http/client.hpp"
#include "common/process/child.hpp"
#include "common/process/lines.hpp"
#include "common/testing/nats_server.hpp"
#include "common/testing/run.hpp"
#include "proto/codec.hpp"
#include "proto/events/run.hpp"
#include "proto/kinds.hpp"
#include "proto/subjects.hpp"
#include "services/catalog-discovery/core/comparison.hpp"
#include "services/gateway/core/jobs.hpp"

namespace kopiur::bench {

namespace {

using namespace std::chrono_literals;
namespace subjects = proto::subjects;

constexpr int few = 10'000, many = 50'000;
constexpr auto cluster = "bench", space = "team", unique_ID = "a-repository";
constexpr double bar_ratio = 6, bar_mib = 300, bar_stall_ms = 100;
constexpr auto patience = 10min;

proto::repository ready_repository() {
  proto::repository one{.api_version = std::string(proto::api_version), .kind = std::string(proto::repository::info.kind)};
  one.metadata = {.name = "main", .namespace_ = space, .uid = "repository-uid", .resource_version = "1", .generation = 1};
  one.status.phase = proto::repository_phase::Ready;
  one.status.unique_ID = unique_ID;
  return one;
}

/// A run of the repository that has succeeded.
bus::publication ended(std::string id, std::string plan, proto::kopia_result result, std::int64_t pages, instant now) {
  result.run = id, result.outcome = proto::outcome::Succeeded, result.unique_ID = unique_ID;
  proto::run_state run{
      .run = id, .cluster = cluster, .stage = proto::run_stage::FollowThroughComplete, .ordered_at = now, .changed_at = now};
  run.order = {.plan = std::move(plan), .object = {std::string(proto::repository::info.kind), space, "main", "repository-uid"}};
  run.attempt = 1, run.outcome = proto::run_outcome::Succeeded, run.row_pages = pages, run.observed_at = now, run.finished_at = now;
  run.result = proto::job_result(std::move(result));
  auto subject = subjects::run(cluster, id);
  return {.subject = subject, .body = json::write(proto::run_fact{proto::run_observed{proto::run_outcome::Succeeded}, std::move(run)})};
}

/// Snapshots of other clients, one an hour of each of a hundred sources.
proto::snapshot_row row_of(int i, instant now) {
  auto end = now - 1h * (i / 100);
  return {.id = "k" + std::to_string(100'000'000'000'000 + i) + "0123456789abcdef",
          .source = {.username = "alice", .hostname = "host-" + std::to_string(i % 100), .source_path = "/srv/data"},
          .start_time = end - 1min,
          .end_time = end,
          .size_bytes = 1'000'000 + i};
}

/// The pages as the gateway publishes them.
std::vector<bus::publication> pages_of(std::string const& run, int count, instant now) {
  std::vector<bus::publication> pages;
  auto add = [&](std::optional<proto::output_page> page) {
    if (!page) return;
    auto key = run + "-1-" + std::to_string(pages.size() + 1);
    pages.push_back({.subject = subjects::answer(cluster, "gateway", "rows", key), .body = json::write(*page)});
  };
  gateway::row_pager pager;
  for (int i = 0; i < count; ++i) add(pager.add(json::encode(row_of(i, now))));
  add(pager.finish());
  return pages;
}

struct scene {
  bus::port& bus;
  process::child& service;
  int count;
  instant now;
  double idle_mib = 0;
};

/// Publishes a list of `count` snapshots. The seconds until the service has processed it.
asio::awaitable<double> list(scene& here, std::string run) {
  auto pages = pages_of(run, here.count, here.now);
  auto number = static_cast<int>(pages.size());
  co_await publish_all(here.bus, number, [&](int i) { return std::move(pages[static_cast<std::size_t>(i)]); });
  auto begun = std::chrono::steady_clock::now();
  must(co_await here.bus.publish(ended(run, "discover", {.rows = here.count}, number, here.now)));
  auto heads = here.bus.follow(std::string(subjects::states), {subjects::repository(cluster, "repository-uid")});
  for (;;) {
    auto item = co_await heads->next();
    auto* message = std::get_if<bus::stored>(&item);
    auto head = message ? json::read<proto::snapshot_list>(message->body) : std::unexpected(json::problem{});
    if (head && head->listed_by == run) break;
  }
  co_return milliseconds(std::chrono::steady_clock::now() - begun) / 1000;
}

/// The Backups that the service has asked for, as the cluster stores them.
std::vector<bus::publication> backups_of(int count, instant now) {
  controller::objects all;
  auto body = json::write(ready_repository());
  (void)controller::apply(all, subjects::resource(cluster, proto::repository::info.kind, space, "main"), &body);
  std::vector<proto::snapshot_row> rows;
  for (int i = 0; i < count; ++i) rows.push_back(row_of(i, now));
  auto repository = rules::find_repository(all, {std::string(proto::repository::info.kind), space, "main", {}});
  auto wanted = catalog_discovery::reconcile(all, *repository, rows, [](std::string const&) { return false; }, now);
  std::vector<bus::publication> backups;
  for (auto& each : wanted.create) {
    auto& metadata = *each.find("metadata");
    metadata.set("uid", "uid-" + std::to_string(backups.size())), metadata.set("resourceVersion", "1"), metadata.set("generation", 1);
    backups.push_back({.subject = subjects::resource(cluster, "Backup", space, metadata.text("name")), .body = json::dump(each)});
  }
  return backups;
}

/// Mirrors the Backups that the service has asked for. The seconds until each has its status.
asio::awaitable<double> adopt(scene& here) {
  auto backups = backups_of(here.count, here.now);
  auto begun = std::chrono::steady_clock::now();
  co_await publish_all(here.bus, here.count, [&](int i) { return std::move(backups[static_cast<std::size_t>(i)]); });
  auto statuses = here.bus.follow(std::string(subjects::status), {"kopiur.v1.status." + std::string(cluster) + ".Backup.>"});
  for (int left = here.count; left > 0;)
    if (auto item = co_await statuses->next(); std::holds_alternative<bus::stored>(item)) --left;
  co_return milliseconds(std::chrono::steady_clock::now() - begun) / 1000;
}

struct figures {
  double adopted = 0, told = 0, listed = 0;  // seconds
  double above_idle = 0;                     // MiB, at its peak
  double stall = 0;                          // milliseconds: the longest that its health page took to answer
};

/// The port of the health page, as the service's log states it; 0: not in this line.
int port_in(std::string_view line) {
  auto said = json::parse(line);
  auto* port = said && said->text("event") == "http.listening" ? said->find("port") : nullptr;
  return port && port->as_int() ? static_cast<int>(*port->as_int()) : 0;
}

/// Asks for the health page again and again: a service whose thread does something for long does not answer meanwhile. On a thread of its
/// own, since the bench works for long too.
class stall_meter {
 public:
  explicit stall_meter(int port) : asking_([this, port] { testing::run([this, port](asio::io_context&) { return ask(port); }); }) {}
  stall_meter(stall_meter const&) = delete;
  ~stall_meter() { stop(); }
  /// Ends it: the longest answer so far, in milliseconds.
  double stop() {
    over_ = true;
    if (asking_.joinable()) asking_.join();
    return longest_;
  }

 private:
  asio::awaitable<void> ask(int port) {
    app::system_clock time(co_await asio::this_coro::executor);
    for (; !over_; co_await time.sleep_for(5ms)) {
      auto begun = std::chrono::steady_clock::now();
      auto said = co_await http::send(time, {.url = "http://127.0.0.1:" + std::to_string(port) + "/healthz"});
      if (said) longest_ = std::max(longest_, milliseconds(std::chrono::steady_clock::now() - begun));
    }
  }

  std::atomic<bool> over_ = false;
  double longest_ = 0;  // read after the thread has ended
  std::thread asking_;  // last: it uses the other members
};

asio::awaitable<void> measured(scene& here, figures& seen) {
  here.idle_mib = memory_mib(here.service.id(), "VmRSS");
  seen.adopted = co_await list(here, "discover-1");
  seen.told = co_await adopt(here);
  seen.listed = co_await list(here, "discover-2");
  seen.above_idle = memory_mib(here.service.id(), "VmHWM") - here.idle_mib;
}

asio::awaitable<void> measure(asio::io_context& loop, std::string url, std::string program, int count, figures& seen) {
  app::system_clock time(loop.get_executor());
  auto bus = co_await open_bus(loop, url, cluster);
  auto const now = time.now();
  auto repository = ready_repository();
  must(co_await bus->publish({.subject = subjects::resource(cluster, repository.kind, space, "main"), .body = json::write(repository)}));
  must(co_await bus->publish(ended("connect-1", "connect", {}, 0, now)));
  must(co_await bus->publish({.subject = subjects::resources_listed(cluster), .body = to_text(now)}));
  process::child service(
      loop.get_executor(),
      {.arguments = {program}, .environment = environment(url, cluster), .directory = {}, .inherited = {}, .only_writable = {}});
  app::nursery all(loop.get_executor());
  int port = 0;
  process::line_splitter log([&](std::string_view line) { port = std::max(port, port_in(line)); });
  all.spawn(process::drain(service.out(), [](std::string_view) {}));
  all.spawn(process::drain(service.err(), [&](std::string_view part) { log.feed(part); }));
  auto first = bus->follow(std::string(subjects::status), {"kopiur.v1.status." + std::string(cluster) + ".Repository.>"});
  while (!std::holds_alternative<bus::stored>(co_await first->next())) continue;  // it is at work
  scene here{*bus, service, count, now};
  while (port == 0) co_await time.sleep_for(5ms);
  stall_meter stalls(port);
  co_await measured(here, seen);
  seen.stall = stalls.stop();
  all.cancel();
  co_await all.join();
  service.kill();
  co_await bus->close();
}

figures run(std::string const& programs, int count) {
  testing::nats_server server;
  asio::io_context loop(1);
  figures seen;
  std::exception_ptr failed;
  asio::co_spawn(loop, measure(loop, server.url(), programs + "/kopiur-catalog-discovery", count, seen),
                 [&](std::exception_ptr e) { failed = e, loop.stop(); });
  loop.run_for(patience);
  if (failed) std::rethrow_exception(failed);
  if (seen.listed == 0) throw std::runtime_error("a list of " + std::to_string(count) + " snapshots was not processed within 10 minutes");
  return seen;
}

}  // namespace

bool discovery_scale(std::string const& programs) {
  auto low = run(programs, few), high = run(programs, many);
  auto adopted = high.adopted / low.adopted, told = high.told / low.told, listed = high.listed / low.listed;
  bool met = std::max({adopted, told, listed}) <= bar_ratio && high.above_idle <= bar_mib && high.stall <= bar_stall_ms;
  std::printf(
      R"({"bench":"discovery_scale","snapshots":[%d,%d],"adopted_s":[%.2f,%.2f],"told_s":[%.2f,%.2f],"listed_s":[%.2f,%.2f],)"
      R"("ratios":[%.2f,%.2f,%.2f],"bar_ratio":%.0f,"mib_above_idle":[%.0f,%.0f],"bar_mib":%.0f,"longest_stall_ms":[%.0f,%.0f],"bar_stall_ms":%.0f,"met":%s})"
      "\n",
      few, many, low.adopted, high.adopted, low.told, high.told, low.listed, high.listed, adopted, told, listed, bar_ratio, low.above_idle,
      high.above_idle, bar_mib, low.stall, high.stall, bar_stall_ms, met ? "true" : "false");
  return met;
}

}  // namespace kopiur::bench
