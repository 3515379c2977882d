#include "e2e/simulation/objects.hpp"
#include "e2e/simulation/story.hpp"
#include "proto/codec.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/core/names.hpp"
#include "services/systems/kopiur/rules/run_ids.hpp"

/// What users try who may write our objects in their own namespace and know every name, id and uid (invariant 13).
namespace kopiur::simulation {

using namespace proto;
using namespace std::chrono_literals;

/// The id of the run of the next slot of a schedule in the namespace; empty while it is not known.
std::string story::next_run_of(std::string const& ns) {
  auto* one = pick("BackupSchedule", [&](json::value const& s) { return s.text("metadata.namespace") == ns; });
  auto slot = one ? instant_from(one->text("status.nextSchedule.at")) : std::nullopt;
  return slot ? rules::slot_run(ns, gateway::uid_of(*one), *slot, some_source()) : "";
}

/// A Backup without a valid source. It claims another tenant's snapshot and run, and requests the deletion of the snapshot.
bool story::user_forges_a_backup(std::string const& ns) {
  auto& there = data_.repository_at("/" + ns).snapshots;
  if (there.empty()) return false;
  auto forged = manual_backup(ns, fresh_name(), "all", "/pvc/none");
  forged.find("spec")->set("deletionPolicy", "Delete");
  auto main = json::object{{"kind", "Repository"}, {"name", "main"}, {"namespace", ns}};
  auto row = json::write(std::next(there.begin(), static_cast<std::ptrdiff_t>(users_.below(there.size())))->second.row);
  forged.find("metadata")
      ->set("annotations", json::object{{"kopiur.home-operations.com/discovered-snapshot", row},
                                        {"kopiur.home-operations.com/discovered-in", json::dump(main)}});
  auto run = next_run_of(ns == "ada" ? "bob" : "ada");
  if (!run.empty()) forged.find("metadata")->set("labels", json::object{{std::string(label::run), run}});
  auto made = data_.create(forged);
  if (made && !run.empty() && options_.bug == planted::yields_runs) give_run(*made, run);
  return made.has_value();
}

/// Acts as if a Backup's label decided which run it has.
void story::give_run(json::value const& object, std::string const& run) {
  run_order order{.plan = "backup", .object = gateway::ref_of(object)};
  run_fact fact{
      .event = run_due{},
      .state = {.run = run, .cluster = cluster, .order = std::move(order), .ordered_at = home_.wall(), .changed_at = home_.wall()}};
  (void)net_.server().publish({.subject = subjects::run(cluster, run), .body = json::write(fact), .head = {}, .id = {}, .expected = 0});
}

/// Copies a Backup of a slot under another name, with all of kopiur's annotations and labels, but without its status.
bool story::user_copies_a_backup(std::string const& ns) {
  auto* one = pick("Backup", [&](json::value const& b) {
    return b.text("metadata.namespace") == ns && !gateway::annotation(b, annotation::slot).empty();
  });
  if (!one) return false;
  json::value copy = json::value::make_object();
  for (auto* part : {"apiVersion", "kind", "spec"}) copy.set(part, *one->find(part));
  json::value metadata = json::object{{"name", fresh_name()}, {"namespace", ns}};
  for (auto* part : {"annotations", "labels"})
    if (auto* marks = one->find("metadata")->find(part)) metadata.set(part, *marks);
  copy.set("metadata", std::move(metadata));
  copied_.emplace(copy.text("metadata.name"));
  return data_.create(copy).has_value();
}

/// A Backup that is too large for the bus; its owner deletes it later.
bool story::user_writes_too_much(std::string const& ns) {
  auto name = fresh_name();
  auto backup = manual_backup(ns, name, "all", some_source());
  backup.find("spec")->set("tags", json::object{{"note", std::string(2 * net_.server().max_payload, 'x')}});
  home_.at(home_.now() + 30min, [this, ns, name] { happened(), remove(object_at("Backup", ns, name)); });
  return data_.create(backup).has_value();
}

/// kubectl delete job: the running pods are stopped, then the object disappears.
bool story::user_deletes_a_job(std::string const& ns) {
  for (auto& [name, job] : data_.jobs()) {
    if (job.seen.namespace_ != ns || job.seen.status.pods_gone) continue;
    (void)data_.stop_job(name);
    home_.at(home_.now() + 20s, [this, again = name] { (void)data_.stop_job(again); });
    return true;
  }
  return false;
}

bool story::user_deletes_a_secret(std::string const& ns) {
  auto* secret = object_at("Secret", ns, "password");
  if (!secret) return false;
  auto again = *secret;
  *again.find("metadata") = json::object{{"name", "password"}, {"namespace", ns}};
  home_.at(home_.now() + 5min, [this, again] { happened(), (void)data_.apply(again); });
  return remove(secret);
}

json::value const* story::object_at(std::string_view kind, std::string_view ns, std::string_view name) const {
  auto found = data_.objects().find(key_text(kind, ns, name));
  return found == data_.objects().end() ? nullptr : &found->second;
}

/// Writes our marks on a claim.
void story::forge(json::value const& claim, std::map<std::string, std::string> marks) {
  patch_metadata patch{.object = gateway::ref_of(claim), .annotations = std::move(marks)};
  if (options_.bug == planted::believes_marks) data_.marks.put(patch);
  (void)data_.patch(patch);
}

/// The user requests later what waits for confirmation.
void story::ask_again(std::string const& ns, std::string const& restore) {
  home_.at(home_.now() + 20min, [this, ns, restore] {
    auto* one = pick("Restore", [&](json::value const& r) { return gateway::key_of(r) == gateway::object_key{"Restore", ns, restore}; });
    if (one) happened(), annotate(*one, annotation::restore_again, "yes"), asked_again_.emplace(gateway::uid_of(*one));
  });
}

/// Marks a claim as filled by a Restore that does not exist yet.
bool story::user_forges_a_filling(std::string const& ns) {
  auto* claim = pick("PersistentVolumeClaim",
                     [&](json::value const& c) { return c.text("metadata.namespace") == ns && c.text("metadata.name") == "spare"; });
  if (!claim) return false;
  auto name = fresh_name();
  doubtful_.insert(ns + "/" + name);
  forge(*claim, {{std::string(annotation::restored_by), name},
                 {std::string(annotation::restored_again), ""},
                 {std::string(annotation::restored_at), to_text(home_.wall())}});
  ask_again(ns, name);
  return data_.create(new_restore(ns, name, "all", some_source(), "spare", true, false)).has_value();
}

/// Marks a claim as created for a Restore although it holds a user's data.
bool story::user_forges_a_claim(std::string const& ns) {
  auto name = fresh_name();
  auto restore = data_.create(new_restore(ns, name, "all", some_source(), "theirs-" + name, false, false));
  if (!restore) return false;
  auto claim = data_.create(json::object{{"apiVersion", "v1"},
                                         {"kind", "PersistentVolumeClaim"},
                                         {"metadata", json::object{{"name", "theirs-" + name}, {"namespace", ns}}},
                                         {"spec", json::value::make_object()}});
  if (claim) forge(*claim, {{std::string(annotation::made_for), std::string(gateway::uid_of(*restore))}});
  ask_again(ns, name);
  return true;
}

}  // namespace kopiur::simulation
