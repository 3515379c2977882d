#include "e2e/simulation/objects.hpp"
#include "e2e/simulation/story.hpp"
#include "proto/kinds/names.hpp"
#include "services/gateway/core/names.hpp"

/// What people do, and what goes wrong: planned from the seed, so that a run can be repeated with less of it.
namespace kopiur::simulation {

using namespace proto;
using namespace std::chrono_literals;

namespace {
object_ref ref_of(json::value const& object) {
  auto key = gateway::key_of(object);
  return {key.kind, key.namespace_, key.name, std::string(gateway::uid_of(object))};
}
}  // namespace

json::value const* story::pick(std::string_view kind, std::function<bool(json::value const&)> fits) {
  std::vector<json::value const*> found;
  for (auto& [key, object] : data_.objects())
    if (key.starts_with(std::string(kind) + "/") && fits(object)) found.push_back(&object);
  return found.empty() ? nullptr : found[users_.below(found.size())];
}

void story::plan_users() {
  auto hours = std::chrono::duration_cast<std::chrono::hours>(how_.length).count();
  auto luck = home_.fork("user plan");
  for (int i = 0; i < hours * 6; ++i) home_.at(home_.now() + luck.between(5min, how_.length), [this] { user_acts(); });
  for (int i = 0; i < hours * 4; ++i)
    home_.at(home_.now() + luck.between(1min, how_.length), [this, which = luck.below(4)] {
      auto ns = which < 2 ? "ada" : "bob";
      ++data_.volume_of(ns, which % 2 ? "two" : "one").version;
    });
}

void story::user_acts() {
  std::string ns = users_.chance(0.5) ? "ada" : "bob";
  std::string source = users_.chance(0.5) ? "/pvc/one" : "/pvc/two";
  auto name = "by-hand-" + std::to_string(++made_);
  auto of_ns = [&](json::value const& one) { return one.text("metadata.namespace") == ns; };
  auto settled = [&](json::value const& one) { return of_ns(one) && one.text("status.phase") == "Succeeded"; };
  auto annotate = [&](json::value const* one, std::string_view what, std::string value) {
    if (!one) return;
    patch_metadata patch{.object = ref_of(*one)};
    patch.annotations[std::string(what)] = std::move(value);
    (void)data_.patch(patch);
  };
  switch (users_.below(9)) {
    case 0:
    case 1: ++summary_.counts["user: backup"], (void)data_.create(manual_backup(ns, name, "all", source)); break;
    case 2:
      if (auto* one = pick("Backup", of_ns)) ++summary_.counts["user: delete"], (void)data_.remove({.object = ref_of(*one)});
      break;
    case 3: ++summary_.counts["user: restore"], (void)data_.create(new_restore(ns, name, "all", source, "spare", true)); break;
    case 4: ++summary_.counts["user: restore"], (void)data_.create(new_restore(ns, name, "all", source, "new-" + name, false)); break;
    case 5:
      if (auto* one = pick("Backup", settled)) {
        ++summary_.counts["user: pin"];
        auto edited = *one;
        edited.find("spec")->set("pin", !(one->at("spec.pin") && *one->at("spec.pin")->as_bool()));
        edited.erase("status");
        (void)data_.apply(edited);
      }
      break;
    case 6:
      if (auto* one = pick("Backup", [&](json::value const& b) { return of_ns(b) && b.text("status.phase") == "Running"; }))
        ++summary_.counts["user: cancel"], annotate(one, annotation::cancel_run, "a user cancelled it");
      break;
    case 7:  // a burst: more than the protection lets pass; somebody allows it later
      if (users_.chance(0.2)) {
        ++summary_.counts["user: burst"];
        for (int i = 0; i < 12; ++i)
          if (auto* one = pick("Backup", settled)) (void)data_.remove({.object = ref_of(*one)});
        home_.at(home_.now() + 50min, [this, ns] {
          if (auto* main = pick("Repository", [&](json::value const& r) { return r.text("metadata.namespace") == ns; })) {
            patch_metadata patch{.object = ref_of(*main)};
            patch.annotations[std::string(annotation::allow_mass_deletion)] = to_text(home_.wall());
            (void)data_.patch(patch);
          }
        });
      }
      break;
    case 8: {  // somebody else's snapshot in the same repository
      auto& where = data_.repository_at("/" + ns);
      if (!where.exists) break;
      ++summary_.counts["user: foreign snapshot"];
      auto id = "f" + std::to_string(made_) + std::string(20, '0');
      where.snapshots.emplace(id, snapshot{.row = {.id = id, .source = {"somebody", "else", "/home"}, .start_time = home_.wall(), .end_time = home_.wall()},
                                           .content = "foreign", .foreign = true});
      break;
    }
    default: break;
  }
}

void story::plan_troubles() {
  data_.faults = {.dies_before = 0.04, .dies_after = 0.03, .hangs = 0.002, .loses_result = 0.02, .fails = 0.05};
  cluster_faults_ = {.lost_before = 0.003, .lost_after = 0.003, .late = 0.002, .twice = 0.002, .crash_before = 0.0005, .crash_after = 0.0005, .lateness = 20s};
  auto& bus = net_.faults();
  bus.calls = {.lost_before = 0.002, .lost_after = 0.002, .late = 0.002, .twice = 0.001, .crash_before = 0.0002, .crash_after = 0.0002, .lateness = 20s};
  bus.blind_conflict = 0.1, bus.settle_lost = 0.005, bus.delivery_late = 0.005, bus.redelivered = 0.005, bus.feed_late = 0.003, bus.feed_restarted = 0.0005;
  auto hours = std::chrono::duration_cast<std::chrono::hours>(how_.length).count();
  auto luck = home_.fork("trouble plan");
  auto anywhen = [&] { return home_.now() + luck.between(5min, how_.length); };
  for (int i = 0; i < hours * 8; ++i)
    home_.trouble(anywhen(), "crash", [this, which = luck.below(alive_.size())] {
      auto& victim = std::next(alive_.begin(), static_cast<std::ptrdiff_t>(which))->second;
      if (victim->alive()) home_.kill(*victim);
    });
  for (int i = 0; i < hours; ++i) {
    home_.trouble(anywhen(), "leader gap", [this] { net_.gap(8s); });
    home_.trouble(anywhen(), "cut off", [this, which = luck.below(alive_.size())] { net_.cut(std::next(alive_.begin(), static_cast<std::ptrdiff_t>(which))->first, 1min); });
    home_.trouble(anywhen(), "repository away", [this, ada = luck.chance(0.5)] {
      auto& where = data_.repository_at(ada ? "/ada" : "/bob");
      where.reachable = false;
      home_.at(home_.now() + 7min, [&where] { where.reachable = true; });
    });
    home_.trouble(anywhen(), "stall", [this, which = luck.below(alive_.size())] {
      auto& victim = std::next(alive_.begin(), static_cast<std::ptrdiff_t>(which))->second;
      if (victim->alive()) home_.stall(*victim, home_.now() + 40s);
    });
  }
  for (int i = 0; i < hours / 4; ++i) home_.trouble(anywhen(), "clock step", [this, by = luck.between(0h, 2h)] { home_.step_clock(by - 1h); });
  for (int i = 0; i < hours / 8; ++i) home_.trouble(anywhen(), "bus down", [this] {
    bus_down_until_ = home_.now() + 3min;
    net_.gap(3min);
  });
}

}  // namespace kopiur::simulation
