#include "services/retention/shell/service.hpp"

#include <algorithm>
#include <boost/asio.hpp>
#include <iterator>

#include "proto/codec.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/controller/core/reference.hpp"
#include "services/systems/kopiur/rules/belonging.hpp"

namespace kopiur::retention {

using namespace proto;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {
constexpr duration look_again = 10min;  // verdicts depend on the date, and a message may be lost
std::string timer_of(std::string_view kind, std::string const& ns, std::string const& name) {
  return std::string(kind) + " " + ns + " " + name;
}
}  // namespace

service::service(bus::port& bus, clock& time, asio::any_io_executor loop, options options)
    : service_base({bus, time, loop, options.cluster, "retention", options.shared},
                   {.kinds = controller::names_of<controller::manifest_kinds>()}),
      options_(std::move(options)),
      timers_(time, loop) {}

asio::awaitable<void> service::work() {
  for (auto& [key, one] : informer_.objects().of<backup_config>()) concern(controller::ref_of(one));
  for (auto& [key, one] : informer_.objects().of<backup_schedule>()) concern(controller::ref_of(one));
  co_await app::first_of(follow(), ring());
}

asio::awaitable<void> service::follow() {
  auto worker = bus_.work(std::string(subjects::resources), durable::retention_resources, 64);
  for (;;) {
    auto next = co_await worker->next();
    co_await informer_.until(next.message.sequence);
    concern(controller::reference(next.message.subject));
    worker->ack(next);
  }
}

/// Schedules the judgement that a changed object may affect, after a delay that gathers further changes.
void service::concern(object_ref const& object) {
  auto soon = [this](std::string_view kind, std::string const& ns, std::string const& which) {
    timers_.set(timer_of(kind, ns, which), time_.now() + options_.settle);
  };
  auto& all = informer_.objects();
  if (object.kind == backup_config::info.kind || object.kind == backup_schedule::info.kind)
    return soon(object.kind, object.namespace_, object.name);
  auto all_of_namespace = [&] {
    for (auto& [key, _] : all.of<backup_config>())
      if (key.namespace_ == object.namespace_) soon(backup_config::info.kind, key.namespace_, key.name);
  };
  if (object.kind == backup::info.kind) {
    auto* one = controller::find(all.of<backup>(), object.namespace_, object.name);
    if (!one) return all_of_namespace();  // deleted, so its config is unknown
    if (one->spec.config_ref) soon(backup_config::info.kind, object.namespace_, one->spec.config_ref->name);
    auto schedule = controller::lookup(one->metadata.labels, label::backup_schedule);
    if (!schedule.empty()) soon(backup_schedule::info.kind, object.namespace_, std::string(schedule));
  }
  if (object.kind == restore::info.kind) all_of_namespace();  // it may have released a snapshot
}

asio::awaitable<void> service::ring() {
  for (;;) {
    auto what = co_await timers_.due();
    auto first = what.find(' '), second = what.find(' ', first + 1);
    controller::name_key key{what.substr(first + 1, second - first - 1), what.substr(second + 1)};
    if (what.substr(0, first) == backup_config::info.kind)
      co_await count_decision(judge_one(key));
    else
      co_await count_decision(judge_schedule(key));
  }
}

asio::awaitable<void> service::judge_one(controller::name_key key) {
  auto& all = informer_.objects();
  auto* config = controller::find(all.of<backup_config>(), key.namespace_, key.name);
  if (!config || config->metadata.deletion_timestamp) co_return;
  timers_.set(timer_of(backup_config::info.kind, key.namespace_, key.name), time_.now() + look_again);
  auto sets = judge_config(all, *config, time_.now());
  if (!sets) co_return log_.error("retention.refused", {{"config", key.name}, {"problem", sets.error()}});
  bool held = is_paused(*config);
  auto going = held ? std::vector<expired>{} : expired_of(all, *config, *sets);
  if (!held) std::ranges::move(held_surplus(all, *config, time_.now()), std::back_inserter(going));
  auto fragment = status_of(all, *config, *sets);
  auto ref = controller::ref_of(*config);
  auto made_from = informer_.source_of(ref);
  for (auto& each : going) co_await forget(each);
  co_await status_.report(ref, std::move(fragment), made_from);
}

asio::awaitable<void> service::judge_schedule(controller::name_key key) {
  auto* schedule = controller::find(informer_.objects().of<backup_schedule>(), key.namespace_, key.name);
  if (!schedule || schedule->metadata.deletion_timestamp) co_return;
  auto going = failed_history(informer_.objects(), *schedule, time_.now());
  for (auto& each : going) co_await forget(each);
}

asio::awaitable<void> service::forget(expired const& one) {
  auto [last, first] = asked_.try_emplace(one.object.uid, time_.now());
  if (!first && time_.now() - last->second < look_again) co_return;
  last->second = time_.now();
  log_.info("backup.expired", {{"backup", one.object.name}, {"namespace", one.object.namespace_}, {"reason", one.reason}});
  delete_object gone{.object = one.object};
  gone.annotations[std::string(annotation::pruned_by)] = "retention: " + one.reason;
  co_await send(std::move(gone), one.object.uid + "-prune", 1min);
}

}  // namespace kopiur::retention
