#include "e2e/simulation/story.hpp"

#include <boost/asio.hpp>

#include "common/bus/dead_letters.hpp"
#include "common/testing/memory_port.hpp"
#include "e2e/simulation/objects.hpp"
#include "e2e/simulation/script.hpp"
#include "proto/codec.hpp"
#include "proto/streams.hpp"
#include "services/catalog-discovery/shell/service.hpp"
#include "services/gateway/shell/serve.hpp"
#include "services/maintenance-lease/shell/service.hpp"
#include "services/mover-orchestration/shell/service.hpp"
#include "services/retention/shell/service.hpp"
#include "services/scheduler/shell/service.hpp"

namespace kopiur::simulation {

using namespace proto;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

std::vector<std::string> service_names(story_options const& options) {
  if (options.buckets) return {"provisioner"};
  return {"maintenance-lease", "mover-orchestration", "catalog-discovery", "retention", "scheduler"};
}

/// As a real process does: the service, and the task that stores dead letters.
template <class Service>
asio::awaitable<void> serve(testing::process& self, testing::bus_net& net, auto options) {
  testing::sim_clock time(self);
  testing::memory_port bus(self, net);
  Service one(bus, time, self.loop().get_executor(), std::move(options));
  app::nursery all(self.loop().get_executor());
  all.spawn(one.serve());
  all.spawn(bus::store_dead_letters(bus, dead_letter_store()));
  co_await all.join();
}

asio::awaitable<void> serve(testing::process& self, testing::bus_net& net, std::string const& service, controller::process_shared shared) {
  if (service == "maintenance-lease")
    return serve<maintenance_lease::service>(self, net, maintenance_lease::options{.cluster = cluster, .rule = {}, .shared = shared});
  if (service == "mover-orchestration")
    return serve<mover_orchestration::service>(
        self, net,
        mover_orchestration::options{
            .cluster = cluster, .can = {.operator_namespace = "operator", .pods = true}, .traces = {}, .shared = shared});
  if (service == "catalog-discovery")
    return serve<catalog_discovery::service>(self, net, catalog_discovery::options{.cluster = cluster, .shared = shared});
  if (service == "retention") return serve<retention::service>(self, net, retention::options{.cluster = cluster, .shared = shared});
  return serve<scheduler::service>(self, net, scheduler::options{.cluster = cluster, .workers = 4, .shared = shared});
}

/// The answer of a hook's URL, sometimes an error.
asio::awaitable<std::expected<http::response, std::string>> hooked(testing::process& self) {
  auto& home = self.home();
  co_await home.sleep_until(self, home.now() + home.chance().between(10ms, 2s));
  co_return http::response{.status = home.chance().chance(0.05) ? 503 : 204, .body = {}};
}

/// Of several gateways one is active.
asio::awaitable<void> take_turn(sim_cluster& door, gateway::ports ports) {
  co_await door.take_turn(ports.time);
  co_await app::first_of(door.keep_turn(ports.time), gateway::serve(ports, {}));
}

asio::awaitable<void> serve_gateway(testing::process& self, testing::bus_net& net, datacenter& datacenter,
                                    testing::call_faults const& faults, decltype(gateway::ports::configured) configured) {
  testing::sim_clock time(self);
  testing::memory_port bus(self, net);
  sim_cluster door(self, datacenter, faults);
  auto answer_hook = [&self](clock&, http::request) { return hooked(self); };
  app::nursery all(self.loop().get_executor());
  all.spawn(bus::store_dead_letters(bus, dead_letter_store()));
  all.spawn(take_turn(
      door, gateway::ports{.bus = bus, .time = time, .cluster = door, .name = cluster, .configured = configured, .call = answer_hook}));
  co_await all.join();
}

}  // namespace

story::story(testing::world_options world, story_options options)
    : options_(options), home_(std::move(world)), net_(home_), data_(home_, cluster), users_(home_.fork("users")) {
  options_.buckets = options_.buckets || is_of_buckets(options_.bug);
  if (options_.buckets) buckets_ = std::make_unique<bucket_story>(home_, net_, data_, summary_);
  watch();
  if (buckets_) watch_buckets();
}

void story::watch_buckets() {
  buckets_->restart_services = [this] { restart_services(); };
  buckets_->on_act = [this](char const* what, bucket_place const& place) { did({what, place.store, place.name}); };
  data_.on_removal_by_service = [this](delete_object const& command) {
    did({"remove", key_text(command.object)}), buckets_->removed_by_service(command);
  };
  data_.on_stored = [this](std::string const& key, json::value const& object) {
    did({"store", key, facts_of(object)}), buckets_->stored(key, object);
  };
  data_.on_gone = [this](std::string const& key) { did({"gone", key}), buckets_->gone(key); };
  net_.server().on_stored([this](testing::memory_stream const&, bus::stored const& message) { buckets_->published(message); });
}

/// All of them, one after the other.
void story::restart_services() {
  for (auto& [name, _] : alive_)
    home_.at(home_.now() + users_.between(1s, 5min), [this, name] {
      if (auto& who = alive_[name]; who->alive()) home_.kill(*who, "restarted");
    });
}

void story::watch() {
  data_.on_delete = [this](sim_job const& job, repository const& where, std::string const& id) {
    did({"delete", id}), check_deletion(job, where, id);
  };
  data_.on_restore = [this](sim_job const& job, snapshot const& from, std::string const& target) {
    did({"restore", from.row.id, target}), check_restore(job, from, target);
  };
  data_.on_act = [this](sim_job const& job) { did({"act", job.order.run, json::to_text(job.seen.status.phase)}), check_leases(job); };
  data_.on_removal_by_service = [this](delete_object const& command) {
    did({"remove", key_text(command.object)}), happened(), check_removal(command);
  };
  data_.on_start = [this](sim_job const& job) { did({"start", job.order.run}), check_start(job); };
  data_.on_hook = [this](std::string const& run, std::string const& ns, bool freezes) {
    did({freezes ? "freeze" : "thaw", ns, run}), hook_called(run, ns, freezes);
  };
  data_.on_capture = [this](std::string const& ns, int capture) { did({"capture", ns}), captured(ns, capture); };
  data_.on_capture_deleted = [this] { happened(); };
  data_.on_create = [this](json::value const& object) { check_creation(object); };
  data_.on_stored = [this](std::string const& key, json::value const& object) {
    did({"store", key, facts_of(object)}), object_stored(key, object);
  };
  data_.on_gone = [this](std::string const& key) { did({"gone", key}), object_gone(key); };
  net_.server().on_stored([this](testing::memory_stream const& in, bus::stored const& message) { check_message(in, message); });
}

void story::launch(std::string const& name) {
  auto service = name.substr(0, name.find('/'));
  alive_[name] = home_.start(name, [this, service](testing::process& self) {
    controller::process_shared shared{.cache = nullptr, .decoder = &decoder_};
    if (service == "provisioner") return buckets_->serve(self, shared);
    if (service != "gateway") return simulation::serve(self, net_, service, shared);
    auto configured = buckets_ ? buckets_->configured() : decltype(gateway::ports::configured)([](auto const&) { return std::nullopt; });
    return serve_gateway(self, net_, data_, cluster_faults_, std::move(configured));
  });
}

void story::make_bus() {
  net_.server().max_payload = 256 << 10;  // small, so that messages above it cost little here
  for (auto& each : streams(1))
    if (auto made = net_.server().ensure(each); !made) violate("set-up", made.error().text);
  for (auto& each : consumers(cluster))
    if (auto made = net_.server().ensure(each); !made) violate("set-up", made.error().text);
}

void story::make_objects() {
  for (auto& each : buckets_ ? bucket_story::first_objects() : first_objects())
    if (auto made = data_.create(std::move(each)); !made) violate("set-up", made.error().message);
  data_.repository_at("/foreign");
}

std::optional<testing::violation> story::run() {
  trouble_until(2s);  // until the services have started
  make_bus();
  make_objects();
  plant();
  home_.on_end([this](std::string const& name, std::string const& why) {
    summary_.add("process ends"), trouble_until(2s);
    home_.note(name, "ended", why);
    home_.at(home_.now() + 2s, [this, name] { launch(name); });
  });
  for (int replica = 0; replica < options_.replicas; ++replica) launch("gateway/" + std::to_string(replica));
  for (auto& service : service_names(options_))
    for (int replica = 0; replica < options_.replicas; ++replica)
      if (service != "maintenance-lease" || options_.bug != planted::grants_everything) launch(service + "/" + std::to_string(replica));
  auto start = home_.now();
  watch_waits();
  plan_everything();
  home_.run_until(start + options_.length);
  if (!home_.violated()) calm_down();
  if (!home_.violated()) check_end();
  summary_.steps = home_.steps(), summary_.hash = home_.hash(), summary_.digest = done_.value();
  for (auto& [what, n] : data_.counts) summary_.add(what, n);
  for (auto& [what, n] : home_.faults().counts()) summary_.add("fault: " + what, n);
  return home_.violated();
}

void story::plan_everything() {
  if (options_.scenario) return options_.scenario(script(*this));
  if (buckets_) {
    buckets_->plan_users(options_.length);
    if (options_.with_faults) plan_troubles(), buckets_->plan_troubles(options_.length);
    return;
  }
  fill_repositories();
  plan_users();
  if (options_.with_faults) plan_troubles();
}

/// No more faults: everything must come to an end, and afterwards no service has a reason to write.
void story::calm_down() {
  data_.faults = {}, data_.api = {};
  if (buckets_) buckets_->calm_down();
  net_.faults() = {};
  cluster_faults_ = {};
  for (auto& [_, each] : data_.repositories()) each.reachable = true;
  auto end = home_.now();
  suspend({"BackupSchedule", "Maintenance"});
  // Objects that a user suspended, deleted and applied again are suspended; the last are applied after a quarter of an hour (seed 10030).
  for (auto when : {0min, 20min}) home_.run_until(end + when), suspend({"BackupConfig", "Repository"}, false);
  home_.run_until(end + 2h);
  repositories_suspended_ = home_.wall();                    // not earlier: suspension holds deletions
  suspend({"BackupSchedule", "Maintenance", "Repository"});  // again: plans of users have continued
  home_.run_until(end + 2h + 10min);
  // A hanging mover runs to its deadline, four hours for a maintenance; its end is reported then.
  while (mover_works() && home_.now() < end + 5h && !home_.violated()) home_.run_until(home_.now() + 10min);
  if (mover_works() || home_.violated()) return;
  home_.run_until(home_.now() + 10min);
  auto writes = data_.writes;
  home_.run_until(home_.now() + 10min);
  summary_.add("checked: quiet");
  if (data_.writes != writes && !home_.violated())
    violate("9 a quiet system writes", std::to_string(data_.writes - writes) + " writes in ten minutes");
}

void story::suspend(std::set<std::string_view> const& kinds, bool suspended) {
  std::vector<json::value> quiet;
  for (auto& [key, object] : data_.objects()) {
    auto kind = object.text("kind");
    if (!kinds.contains(kind)) continue;
    auto edited = object;
    edited.erase("status");
    auto* spec = edited.find("spec");
    (kind == "BackupSchedule" ? spec->find("schedule") : spec)->set("suspend", suspended);
    quiet.push_back(std::move(edited));
  }
  happened();
  for (auto& each : quiet) (void)data_.apply(each);
}

}  // namespace kopiur::simulation
