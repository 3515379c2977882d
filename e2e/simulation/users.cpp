#include <algorithm>

#include "common/hash/stable_hash.hpp"
#include "e2e/simulation/acts.hpp"
#include "e2e/simulation/objects.hpp"
#include "e2e/simulation/story.hpp"
#include "proto/events/request.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/core/objects.hpp"

/// What users do: planned from the seed, so that a run can be repeated.
namespace kopiur::simulation {

using namespace proto;
using namespace std::chrono_literals;

namespace {

bool succeeded(json::value const& one) { return one.text("status.phase") == "Succeeded" && one.text("metadata.deletionTimestamp").empty(); }

}  // namespace

json::value const* story::pick(std::string_view kind, std::function<bool(json::value const&)> fits) {
  std::vector<json::value const*> found;
  auto prefix = std::string(kind) + "/";
  for (auto entry = data_.objects().lower_bound(prefix); entry != data_.objects().end() && entry->first.starts_with(prefix); ++entry)
    if (fits(entry->second)) found.push_back(&entry->second);
  return found.empty() ? nullptr : found[users_.below(found.size())];
}

void story::annotate(json::value const& one, std::string_view what, std::string value) {
  patch_metadata patch{.object = gateway::ref_of(one)};
  patch.annotations[std::string(what)] = std::move(value);
  (void)data_.patch(patch);
}

bool story::edit(json::value const* one, std::function<void(json::value& spec)> change) {
  if (!one) return false;
  auto edited = *one;
  edited.erase("status");
  change(*edited.find("spec"));
  (void)data_.apply(std::move(edited));
  return true;
}

bool story::remove(json::value const* one) {
  if (one) (void)data_.remove({.object = gateway::ref_of(*one)});
  return one != nullptr;
}

void story::plan_users() {
  auto hours = std::chrono::duration_cast<std::chrono::hours>(options_.length).count();
  auto luck = home_.fork("user plan");
  for (int i = 0; i < hours * 10; ++i) home_.at(home_.now() + luck.between(5min, options_.length), [this] { user_acts(); });
  for (int i = 0; i < hours * 4; ++i)
    home_.at(home_.now() + luck.between(1min, options_.length), [this, which = luck.below(4)] {
      auto ns = which < 2 ? "ada" : "bob";
      ++data_.volume_of(ns, which % 2 ? "two" : "one").version;
    });
}

/// A new cluster over repositories that others have filled.
void story::fill_repositories() {
  for (std::string ns : {"ada", "bob"}) {
    if (!users_.chance(0.5)) continue;
    auto& where = data_.repository_at("/" + ns);
    where.exists = true, where.unique_ID = hash::digest_hex({"filled", ns}, 16);
    for (auto left = users_.below(60); left > 0; --left) (void)(users_.chance(0.5) ? user_brings_history(ns) : user_brings_a_snapshot(ns));
    summary_.add("full repository");
  }
}

/// Performs one act; another one if the first finds no suitable object.
void story::user_acts() {
  static constexpr act<story> acts[] = {{12, "user: backup", &story::user_backs_up},
                                        {6, "user: request", &story::user_requests},
                                        {8, "user: restore", &story::user_restores},
                                        {3, "user: restore or empty", &story::user_restores_or_empties},
                                        {3, "user: dry run", &story::user_plans},
                                        {3, "edit: dry run to act", &story::user_carries_out},
                                        {2, "user: foreign snapshot", &story::user_brings_a_snapshot},
                                        {4, "user: history", &story::user_brings_history},
                                        {2, "user: forged Backup", &story::user_forges_a_backup},
                                        {2, "user: forged filling", &story::user_forges_a_filling},
                                        {2, "user: forged claim", &story::user_forges_a_claim},
                                        {2, "user: copied Backup", &story::user_copies_a_backup},
                                        {1, "user: oversized Backup", &story::user_writes_too_much},
                                        {2, "user: deletes a Job", &story::user_deletes_a_job},
                                        {1, "user: deletes a Secret", &story::user_deletes_a_secret},
                                        {16, "edit: delete Backup", &story::user_deletes},
                                        {6, "edit: delete Restore", &story::user_deletes_a_restore},
                                        {1, "edit: delete BackupSchedule", &story::user_deletes_a_schedule},
                                        {1, "edit: delete BackupConfig", &story::user_deletes_a_config},
                                        {1, "edit: delete namespace", &story::user_deletes_a_namespace},
                                        {1, "edit: burst of deletions", &story::user_deletes_many},
                                        {3, "user: empties a volume", &story::user_empties_a_volume},
                                        {4, "edit: accept", &story::user_accepts},
                                        {16, "edit: pin", &story::user_pins},
                                        {8, "edit: retention", &story::user_edits_retention},
                                        {4, "edit: catalog", &story::user_bounds_the_catalog},
                                        {8, "edit: schedule", &story::user_edits_a_schedule},
                                        {6, "edit: suspend", &story::user_suspends},
                                        {3, "user: missing claim", &story::user_names_a_missing_claim},
                                        {6, "user: backup", &story::user_cancels}};
  if (home_.now() < data_.away_until) return home_.at(data_.away_until + 1s, [this] { user_acts(); });
  for (int tries = 0; tries < 4; ++tries) {
    std::string ns = users_.chance(0.5) ? "ada" : "bob";
    auto& one = drawn<story>(acts, users_);
    happened();
    if ((this->*one.does)(ns)) return summary_.add(one.name);
  }
}

std::string story::some_source() { return users_.chance(0.5) ? "/pvc/one" : "/pvc/two"; }
std::string story::fresh_name() { return "by-hand-" + std::to_string(++made_); }

bool story::user_backs_up(std::string const& ns) { return data_.create(manual_backup(ns, fresh_name(), "all", some_source())).has_value(); }

/// Sends a request over the bus; sometimes for a config that does not exist.
bool story::user_requests(std::string const& ns) {
  if (home_.now() < bus_down_until_) return false;
  auto id = fresh_name();
  json::value body = json::object{{"config", users_.chance(0.1) ? "none" : "all"}, {"id", id}};
  requests_.emplace(id, request{.sent = home_.wall()});
  return net_.server().publish({.subject = subjects::request(cluster, ns, backup_request::member), .body = json::dump(body)}).has_value();
}

bool story::user_restores(std::string const& ns) {
  auto name = fresh_name();
  bool existing = users_.chance(0.5);
  return data_.create(new_restore(ns, name, "all", some_source(), existing ? "spare" : "new-" + name, existing, false)).has_value();
}

bool story::user_restores_or_empties(std::string const& ns) {
  auto name = fresh_name();
  return data_.create(new_restore(ns, name, "all", some_source(), "new-" + name, false, true)).has_value();
}

/// Creates a Restore as a dry run.
bool story::user_plans(std::string const& ns) {
  auto name = fresh_name();
  bool existing = users_.chance(0.5);
  auto object = new_restore(ns, name, "all", some_source(), existing ? "spare" : "new-" + name, existing, false);
  object.find("spec")->set("dryRun", true);
  return data_.create(std::move(object)).has_value();
}

/// Turns a dry run into a real one, whether or not its plan is reported yet.
bool story::user_carries_out(std::string const& ns) {
  auto* one = pick("Restore", [&](json::value const& each) {
    auto* dry = each.at("spec.dryRun");
    return each.text("metadata.namespace") == ns && dry && dry->as_bool() && *dry->as_bool();
  });
  return edit(one, [](json::value& spec) { spec.set("dryRun", false); });
}

/// A foreign snapshot in the same repository.
bool story::user_brings_a_snapshot(std::string const& ns) {
  auto& where = data_.repository_at("/" + ns);
  if (!where.exists) return false;
  auto id = "f" + std::to_string(++made_) + std::string(20, '0');
  snapshot foreign{.row = {.id = id, .source = {"somebody", "else", "/home"}, .start_time = home_.wall(), .end_time = home_.wall()},
                   .content = "foreign",
                   .foreign = true,
                   .since = home_.now()};
  return where.snapshots.emplace(id, std::move(foreign)).second;
}

/// Another cluster saves under the same identity, or did before this one was created.
bool story::user_brings_history(std::string const& ns) {
  auto& where = data_.repository_at("/" + ns);
  if (!where.exists) return false;
  auto path = some_source();
  auto id = "h" + std::to_string(++made_) + std::string(20, '0');
  snapshot saved{
      .row =
          {.id = id, .source = {"all", ns, path}, .start_time = home_.wall(), .end_time = home_.wall(), .size_bytes = 1000, .files = 100},
      .content = ns + path.substr(std::string_view("/pvc").size()) + "@another cluster",
      .foreign = true,
      .since = home_.now()};
  return where.snapshots.emplace(id, std::move(saved)).second;
}

bool story::user_deletes(std::string const& ns) {
  return remove(pick("Backup", [&](json::value const& one) {
    return one.text("metadata.namespace") == ns && one.text("metadata.deletionTimestamp").empty();
  }));
}

bool story::user_deletes_a_restore(std::string const& ns) {
  return remove(pick("Restore", [&](json::value const& one) {
    return one.text("metadata.namespace") == ns && (one.text("status.phase") == "Completed" || one.text("status.phase") == "Failed");
  }));
}

bool story::user_deletes_a_schedule(std::string const& ns) { return remove_for_a_while("BackupSchedule", ns); }
bool story::user_deletes_a_config(std::string const& ns) { return remove_for_a_while("BackupConfig", ns); }

/// Deletes an object and applies it again a quarter of an hour later: its Backups stay (invariant 11).
bool story::remove_for_a_while(std::string_view kind, std::string const& ns) {
  auto* one = pick(kind, [&](json::value const& s) { return s.text("metadata.namespace") == ns; });
  if (!one) return false;
  json::value again = json::value::make_object();
  for (auto* part : {"apiVersion", "kind", "spec"}) again.set(part, *one->find(part));
  again.set("metadata", json::object{{"name", one->text("metadata.name")}, {"namespace", ns}});
  home_.at(home_.now() + 15min, [this, again] { happened(), (void)data_.apply(again); });
  return remove(one);
}

/// Deletes a namespace with all its objects; the user applies the manifests again a quarter of an hour later. Its snapshots stay.
bool story::user_deletes_a_namespace(std::string const& ns) {
  if (!data_.delete_namespace(ns)) return false;
  home_.at(home_.now() + 15min, [this, ns] { user_makes_a_namespace(ns); });
  return true;
}

void story::user_makes_a_namespace(std::string const& ns) {
  if (home_.now() < data_.away_until) return home_.at(data_.away_until + 1s, [this, ns] { user_makes_a_namespace(ns); });
  happened();
  if (data_.objects().contains("Namespace//" + ns)) return violate("8 a namespace does not go", ns);
  for (auto& each : objects_of(ns)) (void)data_.apply(std::move(each));
}

/// Deletes more than the protection allows; the user releases the deletions later.
bool story::user_deletes_many(std::string const& ns) {
  int gone = 0;
  for (int i = 0; i < 12; ++i)
    gone += remove(pick("Backup", [&](json::value const& one) { return one.text("metadata.namespace") == ns && succeeded(one); }));
  home_.at(home_.now() + 50min, [this, ns] {
    auto* main = pick("Repository", [&](json::value const& r) { return r.text("metadata.namespace") == ns; });
    if (!main) return;
    happened(), summary_.add("edit: release");
    annotate(*main, annotation::allow_mass_deletion, to_text(home_.wall()));
  });
  return gone > 0;
}

bool story::user_pins(std::string const& ns) {
  auto* one = pick("Backup", [&](json::value const& b) { return b.text("metadata.namespace") == ns && succeeded(b); });
  return edit(one, [](json::value& spec) {
    auto* pin = spec.find("pin");
    spec.set("pin", !(pin && *pin->as_bool()));
  });
}

bool story::user_edits_retention(std::string const& ns) {
  auto* one = pick("BackupConfig", [&](json::value const& c) { return c.text("metadata.namespace") == ns; });
  return edit(one,
              [this](json::value& spec) { spec.find("retention")->set("keepLatest", static_cast<std::int64_t>(2 + users_.below(3))); });
}

/// The owner may bound how many foreign snapshots become Backups; the snapshots themselves stay.
bool story::user_bounds_the_catalog(std::string const& ns) {
  static constexpr char const* bounds[] = {R"({"perIdentity":0})", R"({"perIdentity":1})", R"({"perIdentity":3})", R"({"maxAgeDays":1})",
                                           "null"};
  auto* one = pick("Repository", [&](json::value const& each) { return each.text("metadata.namespace") == ns; });
  auto bound = json::parse(bounds[users_.below(std::size(bounds))]).value();
  return edit(one, [&](json::value& spec) {
    auto& catalog = *spec.find("catalog");
    bound.is_null() ? void(catalog.erase("retain")) : void(catalog.set("retain", bound));
  });
}

bool story::user_edits_a_schedule(std::string const& ns) {
  auto* one = pick("BackupSchedule", [&](json::value const& s) { return s.text("metadata.namespace") == ns; });
  static constexpr char const* crons[] = {"H/30 * * * *", "10,40 * * * *", "H/20 * * * *"};
  return edit(one, [this](json::value& spec) {
    spec.find("schedule")->set("cron", crons[users_.below(3)]);
    spec.find("schedule")->set("concurrencyPolicy", users_.chance(0.5) ? "Forbid" : "Replace");
  });
}

/// Suspends a schedule, a BackupConfig or a repository for half an hour.
bool story::user_suspends(std::string const& ns) {
  static constexpr std::string_view kinds[] = {"BackupSchedule", "BackupConfig", "Repository"};
  auto kind = kinds[users_.below(std::size(kinds))];
  auto* chosen = pick(kind, [&](json::value const& s) { return s.text("metadata.namespace") == ns; });
  if (!chosen) return false;
  auto set = [this, ns, kind, name = std::string(chosen->text("metadata.name"))](bool value) {
    return edit(object_at(kind, ns, name),
                [&](json::value& spec) { (kind == kinds[0] ? spec.find("schedule") : &spec)->set("suspend", value); });
  };
  home_.at(home_.now() + 30min, [this, set] { happened(), (void)set(false); });
  return set(true);
}

/// One of two sources is missing, for a few minutes or for good. The other one is saved.
bool story::user_names_a_missing_claim(std::string const& ns) {
  auto name = fresh_name();
  if (!data_.create(config_of_claims(ns, "of-" + name, {"one", "late-" + name}, users_.chance(0.5)))) return false;
  if (users_.chance(0.5))
    home_.at(home_.now() + users_.between(10s, 10min), [this, ns, name] { happened(), (void)data_.create(claim(ns, "late-" + name)); });
  return data_.create(manual_backup(ns, name, "of-" + name)).has_value();
}

/// Creates a Backup and cancels it a few seconds later, if it is not over by then.
bool story::user_cancels(std::string const& ns) {
  auto name = fresh_name();
  home_.at(home_.now() + users_.between(1s, 8s), [this, ns, name] {
    auto* one = pick("Backup", [&](json::value const& b) { return b.text("metadata.namespace") == ns && b.text("metadata.name") == name; });
    if (!one || (one->text("status.phase") != "Running" && one->text("status.phase") != "Pending")) return;
    happened(), summary_.add("edit: cancel");
    annotate(*one, annotation::cancel_run, "a user cancelled it");
  });
  return data_.create(manual_backup(ns, name, "all", some_source())).has_value();
}

}  // namespace kopiur::simulation
