#include "services/retention/shell/service.hpp"

#include <algorithm>
#include <boost/asio.hpp>
#include <iterator>

#include "proto/codec.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/controller/core/reference.hpp"
#include "services/retention/core/concern.hpp"
#include "services/systems/systems.hpp"

namespace kopiur::retention {

using namespace proto;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {
constexpr duration look_again = 10min;  // verdicts depend on the date, and a message may be lost
constexpr std::size_t workers = 8;

std::vector<object_ref> finished_of(controller::objects const& all, std::string_view kind, std::string const& ns) {
  for (auto* each : systems())
    if (auto found = each->finished(all, kind, ns); !found.empty()) return found;
  return {};
}

/// Stands for all objects of a kind in a namespace: no object has an empty name.
object_key finished_in(std::string_view kind, std::string const& ns) { return {std::string(kind), ns, ""}; }
}  // namespace

service::service(bus::port& bus, clock& time, asio::any_io_executor loop, options options)
    : service_base({bus, time, loop, options.cluster, "retention", options.shared},
                   {.kinds = controller::names_of<controller::manifest_kinds>()}),
      options_(std::move(options)),
      queue_(time, loop, workers, [](object_key const& key) { return key.namespace_; }) {}

asio::awaitable<void> service::work() {
  for (auto& [_, one] : informer_.objects().of<backup_config>()) queue_.add_after(key_of(controller::ref_of(one)), options_.settle);
  for (auto& [_, one] : informer_.objects().of<backup_schedule>()) queue_.add_after(key_of(controller::ref_of(one)), options_.settle);
  for (auto* system : systems())
    for (auto& item : system->resync(informer_.objects())) queue_finished(item.object);
  co_await app::first_of(follow(), queue_.run([this](object_key key) { return count_decision(judge(std::move(key))); }));
}

/// Judges what a changed object concerns, after a delay that gathers further changes.
asio::awaitable<void> service::follow() {
  auto worker = bus_.work(std::string(subjects::resources), durable::retention_resources(context_.cluster), 64);
  for (;;) {
    auto next = co_await worker->next();
    co_await informer_.until(next.message.sequence);
    auto changed = controller::reference(next.message.subject);
    for (auto& key : concerned_by(informer_.objects(), changed)) queue_.add_after(key, options_.settle);
    queue_finished(changed);
    worker->ack(next);
  }
}

void service::queue_finished(object_ref const& one) {
  if (!finished_of(informer_.objects(), one.kind, one.namespace_).empty())
    queue_.add_after(finished_in(one.kind, one.namespace_), options_.settle);
}

asio::awaitable<void> service::judge(object_key key) {
  if (key.name.empty()) return judge_finished(std::move(key));
  return key.kind == backup_config::info.kind ? judge_config(std::move(key)) : judge_schedule(std::move(key));
}

asio::awaitable<void> service::judge_config(object_key key) {
  auto& all = informer_.objects();
  auto* config = controller::find(all.of<backup_config>(), key.namespace_, key.name);
  if (!config || config->metadata.deletion_timestamp) co_return;
  queue_.add_after(key, look_again);
  auto sets = retention::judge_config(all, *config, time_.now());
  if (!sets) co_return log_.error("retention.refused", {{"config", key.name}, {"problem", sets.error()}});
  bool held = is_paused(*config);
  auto going = held ? std::vector<expired>{} : expired_of(all, *config, *sets);
  if (!held) std::ranges::move(held_surplus(all, *config, time_.now()), std::back_inserter(going));
  auto fragment = status_of(all, *config, *sets);
  auto ref = controller::ref_of(*config);
  auto made_from = informer_.source_of_all();
  for (auto& each : going) co_await forget(each);
  if (!co_await status_.report(ref, std::move(fragment), made_from)) queue_.add_after(key, controller::until_seen);
}

asio::awaitable<void> service::judge_schedule(object_key key) {
  auto* schedule = controller::find(informer_.objects().of<backup_schedule>(), key.namespace_, key.name);
  if (!schedule || schedule->metadata.deletion_timestamp) co_return;
  auto going = failed_history(informer_.objects(), *schedule, time_.now());
  for (auto& each : going) co_await forget(each);
}

asio::awaitable<void> service::judge_finished(object_key key) {
  auto going = beyond(finished_of(informer_.objects(), key.kind, key.namespace_), options_.finished_kept);
  if (!going.empty()) queue_.add_after(key, look_again);
  for (auto& each : going) co_await forget(each);
}

asio::awaitable<void> service::forget(expired const& one) {
  auto [last, first] = asked_.try_emplace(one.object.uid, time_.now());
  if (!first && time_.now() - last->second < look_again) co_return;
  last->second = time_.now();
  log_.info("backup.expired",
            {{"kind", one.object.kind}, {"backup", one.object.name}, {"namespace", one.object.namespace_}, {"reason", one.reason}});
  delete_object gone{.object = one.object};
  gone.annotations[std::string(annotation::pruned_by)] = "retention: " + one.reason;
  co_await send(std::move(gone), one.object.uid + "-prune", 1min);
}

}  // namespace kopiur::retention
