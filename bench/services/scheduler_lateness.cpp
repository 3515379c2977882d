#include <boost/asio.hpp>
#include <cstdio>
#include <unordered_map>
#include <unordered_set>

#include "bench/figures.hpp"
#include "bench/services/bench.hpp"
#include "bench/services/stage.hpp"
#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/process/child.hpp"
#include "common/testing/nats_server.hpp"
#include "proto/codec.hpp"
#include "proto/events/run.hpp"
#include "proto/kinds.hpp"
#include "proto/subjects.hpp"
#include "services/scheduler/shell/service.hpp"

namespace kopiur::bench {

namespace {

using namespace std::chrono_literals;
namespace subjects = proto::subjects;

constexpr int fleet = 100'000, every_minute = 60'000;
constexpr auto cluster = "bench", space = "team";
constexpr double bar_ms = 100;

std::string name_of(int i) { return "s" + std::to_string(i); }

/// An object of kind T as a user creates it.
template <class T>
T named(std::string name, std::string uid) {
  T one{.api_version = std::string(T::info.api_version), .kind = std::string(T::info.kind)};
  one.metadata = {.name = std::move(name), .namespace_ = space, .uid = std::move(uid), .resource_version = "1", .generation = 1};
  return one;
}

/// The message with which a gateway mirrors the object.
template <class T>
bus::publication mirrored(T const& one) {
  return {.subject = subjects::resource(cluster, one.kind, space, one.metadata.name), .body = json::write(one)};
}

/// The first 60,000 fire every minute, spread over it by their jitter: 1,000 a second. The others fire at night, some of them now.
proto::backup_schedule schedule_of(int i, instant now) {
  auto one = named<proto::backup_schedule>(name_of(i), "9b1c6b0e-5d0a-4a57-9a3f-" + std::to_string(100'000'000'000 + i));
  one.metadata.creation_timestamp = now;
  one.spec.config_ref.name = "config";
  one.spec.schedule = {.cron = i < every_minute ? "* * * * *" : "H H(1-5) * * *", .concurrency_policy = proto::concurrency_policy::Allow};
  if (i < every_minute) one.spec.schedule.jitter = 60s - 1ms;
  return one;
}

proto::backup_config config() {
  auto one = named<proto::backup_config>("config", "config-uid");
  one.spec.repository.name = "repository";
  one.spec.sources.push_back({.from = proto::pvc_source{"data"}});
  return one;
}

proto::repository ready_repository() {
  auto one = named<proto::repository>("repository", "repository-uid");
  one.status.phase = proto::repository_phase::Ready;
  one.status.unique_ID = "repository-id";
  return one;
}

/// Observations of the slots that fire.
struct sight {
  std::unordered_set<std::string> known;                    // subjects of schedules that were decided
  instant minute = instant::max();                          // the slot that is measured
  std::unordered_map<std::string, instant> begins, stored;  // by run
  std::vector<double> decided_ms;                           // from a slot's beginning to its schedule's fact
};

/// Passes each further message of a stream, decoded, to `take(message, fact)`. A message that cannot be decoded ends the measurement.
template <class Fact, class Take>
asio::awaitable<void> watch(bus::port& bus, std::string_view stream, std::string filter, Take take) {
  auto from = bus.follow(std::string(stream), {std::move(filter)});
  while (true) {
    auto item = co_await from->next();
    auto* message = std::get_if<bus::stored>(&item);
    if (!message) continue;
    auto fact = json::read<Fact>(message->body);
    if (!fact) throw std::runtime_error(message->subject + " cannot be read: " + fact.error().text());
    take(*message, *fact);
  }
}

asio::awaitable<void> watch_schedules(bus::port& bus, sight& seen) {
  return watch<scheduler::schedule_fact>(bus, subjects::states, std::string("kopiur.v1.schedule.") + cluster + ".>",
                                         [&seen](auto& message, auto& fact) {
                                           seen.known.insert(message.subject);
                                           if (!fact.event.fired || fact.event.fired->slot != seen.minute) return;
                                           seen.decided_ms.push_back(milliseconds(message.time - fact.event.fired->scheduled_at));
                                           for (auto& run : fact.state.last->runs) seen.begins[run.run] = fact.event.fired->scheduled_at;
                                         });
}

asio::awaitable<void> watch_runs(bus::port& bus, sight& seen) {
  return watch<proto::run_fact>(bus, subjects::runs, std::string("kopiur.v1.run.") + cluster + ".>", [&seen](auto& message, auto& fact) {
    if (fact.state.order.slot == seen.minute) seen.stored.try_emplace(fact.state.run, message.time);
  });
}

/// Waits until the scheduler has decided the whole fleet, and then until the measured minute is over. That minute begins at least 15 s
/// later.
asio::awaitable<void> through_a_minute(clock& time, sight& seen) {
  for (auto until = time.now() + 10min; seen.known.size() < fleet; co_await time.sleep_for(200ms))
    if (time.now() > until)
      throw std::runtime_error("after 10 minutes only " + std::to_string(seen.known.size()) + " schedules were looked at");
  seen.minute = std::chrono::ceil<std::chrono::minutes>(time.now() + 15s);
  std::fprintf(stderr, "all looked at; the minute of %s is measured\n", to_text(seen.minute).c_str());
  co_await time.sleep_until(seen.minute + 60s + 20s);
}

bool report(sight& seen) {
  std::vector<double> late;
  for (auto& [run, begins] : seen.begins)
    if (auto found = seen.stored.find(run); found != seen.stored.end()) late.push_back(milliseconds(found->second - begins));
  auto p50 = quantile(late, 0.5), p99 = quantile(late, 0.99), most = quantile(late, 1);
  // Some of the others fire in this minute too, if it is in their night.
  bool met = late.size() == seen.begins.size() && late.size() >= every_minute && p99 < bar_ms;
  std::printf(R"({"bench":"scheduler_lateness","schedules":%d,"slots":%zu,"of":%d,"p50_ms":%.0f,"p99_ms":%.0f,"max_ms":%.0f,)"
              R"("decided_p99_ms":%.0f,"bar_p99_ms":%.0f,"met":%s})"
              "\n",
              fleet, late.size(), every_minute, p50, p99, most, quantile(seen.decided_ms, 0.99), bar_ms, met ? "true" : "false");
  return met;
}

asio::awaitable<void> measure(asio::io_context& loop, std::string url, std::string program, bool& met) {
  app::system_clock time(loop.get_executor());
  auto bus = co_await open_bus(loop, url, cluster);
  auto const now = time.now();
  must(co_await bus->publish(mirrored(ready_repository())));
  must(co_await bus->publish(mirrored(config())));
  co_await publish_all(*bus, fleet, [now](int i) { return mirrored(schedule_of(i, now)); });
  must(co_await bus->publish({.subject = subjects::resources_listed(cluster), .body = to_text(now)}));
  process::child scheduler(
      loop.get_executor(),
      {.arguments = {program}, .environment = environment(url, cluster), .directory = {}, .inherited = {}, .only_writable = {}});
  sight seen;
  app::nursery all(loop.get_executor());
  all.spawn(process::drain(scheduler.out(), [](std::string_view) {}));
  all.spawn(process::drain(scheduler.err(), [](std::string_view) {}));
  all.spawn(watch_schedules(*bus, seen));
  all.spawn(watch_runs(*bus, seen));
  co_await through_a_minute(time, seen);
  all.cancel();
  co_await all.join();
  met = report(seen);
  scheduler.kill();
  co_await bus->close();
}

}  // namespace

bool scheduler_lateness(std::string const& programs) {
  testing::nats_server server;
  asio::io_context loop(1);
  bool met = false;
  std::exception_ptr failed;
  asio::co_spawn(loop, measure(loop, server.url(), programs + "/kopiur-scheduler", met),
                 [&](std::exception_ptr e) { failed = e, loop.stop(); });
  loop.run();
  if (failed) std::rethrow_exception(failed);
  return met;
}

}  // namespace kopiur::bench
