#include <algorithm>
#include <boost/asio.hpp>
#include <set>

#include "common/hash/stable_hash.hpp"
#include "common/testing/memory_port.hpp"
#include "e2e/simulation/objects.hpp"
#include "e2e/simulation/story.hpp"
#include "proto/codec.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/core/names.hpp"
#include "services/scheduler/core/timetable.hpp"
#include "services/scheduler/shell/service.hpp"

/// Bugs planted on purpose: the invariants must detect each of them.
namespace kopiur::simulation {

using namespace proto;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

/// A false order: delete the snapshot of a Backup that still exists.
bus::publication rogue_order(json::value const& object, json::value const& repository, instant now) {
  auto key = gateway::key_of(object);
  auto id = "delete-" + hash::digest_hex({"rogue", object.text("metadata.uid")}, 16);
  json::value item = json::value::make_object();
  item.set("uid", object.text("metadata.uid")), item.set("namespace", key.namespace_), item.set("name", key.name);
  item.set("snapshot", object.text("status.snapshot.kopiaSnapshotID")), item.set("askedAt", to_text(now)), item.set("prunedBy", "nobody");
  json::value parameters = json::value::make_object();
  json::value items = json::value::make_array();
  items.push(std::move(item));
  parameters.set("items", std::move(items));
  auto home = gateway::key_of(repository);
  run_order order{.plan = "delete",
                  .object = {"Repository", home.namespace_, home.name, std::string(repository.text("metadata.uid"))},
                  .parameters = std::move(parameters)};
  run_fact fact{.event = run_due{},
                .state = {.run = id, .cluster = cluster, .order = std::move(order), .ordered_at = now, .changed_at = now}};
  return {.subject = subjects::run(cluster, id), .body = json::write(fact), .head = {}, .id = {}, .expected = 0};
}

/// Replaces maintenance-lease: grants every request at once.
asio::awaitable<void> grant_everything(testing::process& self, testing::bus_net& net) {
  testing::sim_clock time(self);
  testing::memory_port bus(self, net);
  auto requests = bus.work(std::string(subjects::commands), durable::lease_requests, 16);
  for (std::uint64_t fence = 1;; ++fence) {
    auto next = co_await requests->next();
    auto ask = json::read<lease_request>(next.message.body);
    auto key = ask ? std::visit([](auto& one) { return one.key; }, *ask) : std::string();
    auto now = co_await bus.last(std::string(subjects::states), subjects::lease(key));
    auto state = now && *now ? json::read<lease_state>((*now)->body) : std::expected<lease_state, json::problem>{lease_state{.key = key}};
    if (ask && state) {
      auto run = std::visit([](auto& one) { return one.run; }, *ask);
      std::erase_if(state->holders, [&](auto& one) { return one.run == run; });
      auto* wants = std::get_if<acquire_lease>(&*ask);
      auto* keeps = std::get_if<renew_lease>(&*ask);
      if (wants || keeps) state->holders.push_back({cluster, run, wants ? wants->mode : lease_mode::Shared, time.now() + 1h, fence});
      (void)co_await bus.publish({.subject = subjects::lease(key), .body = json::write(*state), .head = {{"kopiur-run", run}}});
    }
    requests->ack(next);
  }
}

/// Reports every list as begun after every request.
asio::awaitable<void> renew_lists(testing::process& self, testing::bus_net& net, datacenter const& data) {
  testing::sim_clock time(self);
  testing::memory_port bus(self, net);
  constexpr std::uint64_t late = 1'000'000'000;
  for (;;) {
    co_await time.sleep_for(2s);
    for (auto* ns : {"ada", "bob"}) {
      auto found = data.objects().find("Repository/" + std::string(ns) + "/main");
      if (found == data.objects().end()) continue;
      auto subject = subjects::repository(cluster, std::string(found->second.text("metadata.uid")));
      auto last = co_await bus.last(std::string(subjects::states), subject);
      auto head = last && *last ? json::read<snapshot_list>((*last)->body) : std::expected<snapshot_list, json::problem>{snapshot_list{}};
      if (!head || head->list.empty() || head->begun_after >= late) continue;
      head->begun_after += late;
      (void)co_await bus.publish({.subject = subject, .body = json::write(*head), .head = (*last)->head});
    }
  }
}

/// Runs next to the scheduler: skips the next slot of a schedule because of runs of the last slot that wait for what is missing.
asio::awaitable<void> skip_slots(testing::process& self, testing::bus_net& net, datacenter const& data, std::string ns, std::string name) {
  testing::sim_clock time(self);
  testing::memory_port bus(self, net);
  for (;;) {
    co_await time.sleep_for(3min);
    auto object = data.objects().find(key_text("BackupSchedule", ns, name));
    if (object == data.objects().end()) continue;
    auto rules = json::decode<backup_schedule>(object->second);
    auto subject = subjects::schedule(cluster, rules->metadata.uid);
    auto stands = co_await bus.last(std::string(subjects::states), subject);
    auto fact = stands && *stands ? json::read<scheduler::schedule_fact>((*stands)->body) : std::unexpected(json::problem{});
    auto table = scheduler::timetable::compile(rules->spec.schedule, rules->metadata.uid);
    if (!fact || !fact->state.last || !table) continue;
    auto slot = table->next(fact->state.settled);
    controller::skipped skipped{.slot = *slot, .blocked_by_slot = fact->state.last->slot, .blocked_by = {}};
    for (auto& each : fact->state.last->runs)
      if (each.waits && !each.terminal) skipped.blocked_by.push_back(each.run);
    if (skipped.blocked_by.empty()) continue;
    fact->event = {.skipped = std::move(skipped)}, fact->state.settled = *slot;
    (void)co_await bus.publish({.subject = subject, .body = json::write(*fact), .head = (*stands)->head});
  }
}

/// Reports something new about an object every ten seconds.
asio::awaitable<void> chatter(testing::process& self, testing::bus_net& net, datacenter const& data) {
  testing::sim_clock time(self);
  testing::memory_port bus(self, net);
  for (std::uint64_t n = 1;; ++n) {
    co_await time.sleep_for(10s);
    auto found = data.objects().find("BackupConfig/ada/all");
    if (found == data.objects().end()) continue;
    status_fragment claim{.uid = std::string(found->second.text("metadata.uid")), .made_from = {.sequence = n}};
    claim.conditions.push_back(
        {.type = "Chatter", .status = "True", .reason = "Chatter", .message = "Said " + std::to_string(n) + " times."});
    (void)co_await bus.publish(
        {.subject = subjects::status_fragment(cluster, "BackupConfig", "ada", "all", "chatter"), .body = json::write(claim)});
  }
}

/// Impersonates mover-orchestration: reports Backups that have just Succeeded as Failed.
asio::awaitable<void> contradict(testing::process& self, testing::bus_net& net, datacenter const& data) {
  testing::sim_clock time(self);
  testing::memory_port bus(self, net);
  for (std::set<std::string> before;;) {
    co_await time.sleep_for(2s);
    auto saved = std::ranges::find_if(data.objects(), [&](auto& one) {
      return one.second.text("kind") == "Backup" && one.second.text("status.phase") == "Succeeded" && !before.contains(one.first);
    });
    if (saved == data.objects().end()) continue;
    before.insert(saved->first);
    auto key = gateway::key_of(saved->second);
    auto subject = subjects::status_fragment(cluster, "Backup", key.namespace_, key.name, "mover-orchestration");
    auto said = co_await bus.last(std::string(subjects::status), subject);
    auto claim = said && *said ? json::read<status_fragment>((*said)->body) : std::unexpected(json::problem{});
    if (!claim) continue;
    claim->status.set("phase", "Failed");
    (void)co_await bus.publish({.subject = subject, .body = json::write(*claim), .head = (*said)->head});
  }
}

}  // namespace

/// From some seeds no user restores what another cluster has saved since; this makes it happen.
void story::restore_what_others_saved() {
  for (int i = 1; i < 10; ++i)
    for (auto* ns : {"ada", "bob"}) {
      home_.at(home_.now() + i * 30min, [this, ns] { happened(), (void)user_brings_history(ns); });
      home_.at(home_.now() + i * 30min + 5min, [this, ns] { happened(), (void)user_restores(ns); });
    }
}

void story::plant() {
  auto soon = home_.now() + 45min;
  switch (options_.bug) {
    case planted::none:
      return;
    case planted::trusts_stale_reads:
      data_.stale_reads = true;
      break;
    case planted::deletes_foreign:
      data_.choose_doomed = [](repository const& where, std::string const& asked) {
        auto foreign = std::ranges::find_if(where.snapshots, [](auto& one) { return one.second.foreign; });
        return foreign == where.snapshots.end() ? asked : foreign->first;
      };
      return;
    case planted::doubles_slots:
      data_.second_backups = true;
      return;
    case planted::grants_everything:
      home_.start("grants-everything", [this](testing::process& self) { return grant_everything(self, net_); });
      return;
    case planted::submits_twice:
      data_.second_restores = true;
      return;
    case planted::restores_any:
      data_.choose_snapshot = [](repository const& where, std::string const& asked) {
        for (auto& [id, one] : where.snapshots)
          if (id != asked && !(one.row.source == where.snapshots.at(asked).row.source)) return id;
        return asked;
      };
      return;
    case planted::acts_without_bus:
      home_.at(soon, [this] {
        take_bus_down();
        create_job order{.run = "rogue", .namespace_ = "ada"};
        kopia_of(order).run = "rogue";
        kopia_of(order).repository = repository_access{.backend = filesystem_backend{.path = "/ada"}};
        kopia_of(order).task = delete_work{};
        home_.at(home_.now() + 30s, [this, order] { (void)data_.create_job(order); });
      });
      return;
    case planted::says_nothing:
      net_.server().on_publish([](bus::publication const& what) { return !what.subject.starts_with("kopiur.v1.status."); });
      return;
    case planted::chatters:
      home_.start("chatters", [this](testing::process& self) { return chatter(self, net_, data_); });
      return;
    case planted::contradicts:
      home_.start("contradicts", [this](testing::process& self) { return contradict(self, net_, data_); });
      return;
    case planted::leaks_secrets:
      data_.secret_in_log = true;
      return;
    case planted::believes_marks:  // attackers.cpp
    case planted::yields_runs:
      return;
    case planted::waits_for_room:
      net_.server().above_payload = bus::failure::limit;
      return;
    case planted::lists_ours_alone:
      data_.ours_alone = true;
      return restore_what_others_saved();
    case planted::renews_lists:
      restore_what_others_saved();
      home_.start("renews-lists", [this](testing::process& self) { return renew_lists(self, net_, data_); });
      return;
    case planted::misses_shrinking:
      data_.blind_to_shrinking = true;
      return;
    case planted::forgets_baselines:
      data_.without_baselines = true;
      for (int i = 1; i < 5; ++i) {  // neither Backups nor facts are left then
        auto after = [&](duration passed, auto act) { home_.at(home_.now() + i * 75min + passed, act); };
        for (auto* ns : {"ada", "bob"}) {
          after(0min, [this, ns] { happened(), (void)user_empties_a_volume(ns); });
          after(15min, [this, ns] { happened(), (void)user_deletes_a_namespace(ns); });
          for (auto later : {45min, 50min}) after(later, [this, ns] { happened(), (void)user_restores(ns); });
        }
        after(25min, [this] { lose_bus(); });
      }
      return;
    case planted::thaws_early:
      data_.thaws_early = true;
      return;
    case planted::captures_late:
      data_.captures_late = true;
      return;
    case planted::freezes_for_good:
      net_.server().on_publish(
          [](bus::publication const& what) { return what.subject.find(".gateway.run-user-job.") == what.subject.npos; });
      return;
    case planted::starves_schedules:
      (void)data_.create(config_of_claims("ada", "half", {"one", "never"}));
      (void)data_.create(schedule_of("ada", "half", "half", R"("cron":"*/10 * * * *","concurrencyPolicy":"Forbid")"));
      home_.start("skips-slots", [this](testing::process& self) { return skip_slots(self, net_, data_, "ada", "half"); });
      return;
    case planted::waits_for_good:
      net_.server().on_publish([](bus::publication const& what) {
        bool fact = what.subject.starts_with("kopiur.v1.run.");
        return !fact || what.body.find(R"("class":"PreconditionMissing")") == what.body.npos;
      });
      (void)data_.create(config_of_claims("ada", "half", {"one", "never"}));
      home_.at(home_.now() + 1h, [this] { happened(), (void)data_.create(manual_backup("ada", "of-half", "half")); });
      return;
    case planted::takes_foreign:
      buckets_->sky.takes_all_as_made = true;
      return;
    case planted::shares_names:
      net_.server().on_publish([this](bus::publication const& what) {
        bool recorded = what.body.contains(R"("made":true)") || what.body.contains(R"("adopted":true)");
        if (recorded && what.subject.starts_with("kopiur.v1.claim."))
          home_.at(home_.now() + 1ms, [this, name = what.subject] { (void)net_.server().publish({.subject = name, .body = {}}); });
        return true;
      });
      return;
    case planted::overwrites_secrets:
      data_.overwrites_secrets = true;
      return;
    case planted::does_dry_runs:
      data_.dry_runs_write = true;
      return;
    case planted::tears_groups:
      data_.torn_captures = true;
      return;
    case planted::cascades:
      home_.at(soon, [this] {
        if (auto* one = pick("Backup", [](json::value const& b) { return b.text("status.phase") == "Succeeded"; })) {
          auto key = gateway::key_of(*one);
          delete_object gone{.object = {"Backup", key.namespace_, key.name, std::string(gateway::uid_of(*one))}};
          (void)net_.server().publish({.subject = subjects::command(cluster, "gateway", delete_object::member, "cascade"),
                                       .body = json::write(gateway_command{gone})});
        }
      });
      return;
  }
  // A rogue order every half hour: without the planted bug it has no effect.
  for (int i = 1; i < 8; ++i)
    home_.at(home_.now() + i * 30min, [this] {
      auto* one = pick("Backup", [](json::value const& b) {
        return b.text("status.phase") == "Succeeded" && b.text("metadata.deletionTimestamp").empty() &&
               !(b.at("spec.pin") && *b.at("spec.pin")->as_bool());
      });
      auto* main =
          one ? pick("Repository", [&](json::value const& r) { return r.text("metadata.namespace") == one->text("metadata.namespace"); })
              : nullptr;
      if (main) (void)net_.server().publish(rogue_order(*one, *main, home_.wall()));
    });
}

}  // namespace kopiur::simulation
