#include "services/catalog-discovery/core/catalog.hpp"

#include <algorithm>
#include <map>

#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/controller/core/condition.hpp"
#include "services/systems/kopiur/rules/belonging.hpp"
#include "services/systems/kopiur/rules/fitness.hpp"
#include "services/systems/kopiur/rules/identity.hpp"
#include "services/systems/kopiur/rules/results.hpp"
#include "services/systems/kopiur/rules/suspension.hpp"
#include "services/systems/kopiur/rules/timing.hpp"

namespace kopiur::catalog_discovery {

using namespace proto;
using controller::condition;

namespace {

bool ended(run_state const* run) { return run && is_terminal(run->stage); }
bool succeeded(run_state const* run) { return ended(run) && run->outcome == run_outcome::Succeeded; }

struct verdict {
  repository_phase phase = repository_phase::Pending;
  condition_fragment ready, connected;
};

verdict judge(rules::any_repository const& repository, run_state const* connect, run_state const* discover) {
  auto both = [](repository_phase phase, bool holds, std::string reason, std::string message) {
    return verdict{phase, condition(condition_type::ready, holds, reason, message),
                   condition(condition_type::connected, holds, reason, message)};
  };
  if (rules::is_suspended(repository))
    return both(repository_phase::Pending, false, "Suspended", rules::suspended_text(rules::suspension_of(repository)));
  if (!connect) return both(repository_phase::Pending, false, "Pending", "The repository has not been opened yet.");
  if (!ended(connect)) {
    auto reason = connect->waits ? connect->waits->reason : std::string("Connecting");
    auto message = connect->waits ? connect->waits->message : std::string("The repository is being opened.");
    // A repository that was Ready stays usable while it is opened again.
    bool known = repository.status->unique_ID.has_value();
    return known ? both(repository_phase::Ready, true, "Reconnecting", message)
                 : both(repository_phase::Initializing, false, reason, message);
  }
  if (!succeeded(connect)) {
    auto reason = connect->failure ? connect->failure->class_.json_text() : std::string("Unknown");
    auto message = connect->failure ? connect->failure->message : std::string("The repository could not be opened.");
    return both(repository_phase::Failed, false, reason, message);
  }
  auto* result = rules::result_of(*connect);
  bool made = result && result->created;
  auto opened = both(repository_phase::Ready, true, made ? "Created" : "Connected",
                     made ? "The repository was made, and can be opened." : "The repository can be opened.");
  if (ended(discover) && !succeeded(discover) && discover->failure) {
    opened.phase = repository_phase::Degraded;
    opened.ready = condition(condition_type::ready, false, discover->failure->class_.json_text(),
                             "The last list failed: " + discover->failure->message);
  }
  return opened;
}

/// The Maintenance of the repository; a user's is preferred to the default one.
maintenance const* maintenance_of(controller::objects const& all, rules::any_repository const& repository) {
  maintenance const* found = nullptr;
  for (auto* one : rules::maintenances_of(all, repository))
    if (!found || !rules::is_default(*one)) found = one;
  return found;
}

condition_fragment maintenance_owned(controller::objects const& all, rules::any_repository const& repository) {
  auto* one = maintenance_of(all, repository);
  if (!one) return condition(condition_type::maintenance_owned, false, "NoMaintenance", "No Maintenance maintains this repository.");
  auto* said = controller::find_condition(one->status.conditions, condition_type::ownership_claimed);
  if (!said)
    return condition(condition_type::maintenance_owned, false, "NotYetRun",
                     "Maintenance " + one->metadata.name + " has not run yet; kopia's owner is known after its first run.");
  return condition(condition_type::maintenance_owned, said->status == condition_status::True, said->reason, said->message);
}

/// False in every case, since all namespaces share one password.
condition_fragment tenancy_enforced(cluster_repository_spec const& spec) {
  if (spec.allow_foreign_identities)
    return condition(condition_type::tenancy_enforced, false, "ForeignIdentitiesAllowed",
                     "Every allowed namespace may restore every identity (spec.allowForeignIdentities).");
  return condition(
      condition_type::tenancy_enforced, false, "SharedCredentials",
      "kopiur lets allowed namespaces alone use the repository, and each its own identities. That is not a security boundary: a "
      "mover's Secret in an allowed namespace has the repository's password and keys, and who can read Secrets or enter pods "
      "there can read and delete all snapshots. For tenants who do not trust each other, make a Repository for each.");
}

std::int64_t allowed_count(controller::objects const& all, cluster_repository_spec const& spec) {
  if (auto* list = std::get_if<namespaces_listed>(&spec.allowed_namespaces)) return std::ssize(list->names);
  return std::ranges::count_if(all.of<core_namespace>(), [&](auto& each) { return rules::allows(all, spec, each.first.name); });
}

std::string_view backend_name(backend const& where) {
  return std::visit([](auto const& one) { return one.kind_name; }, where);
}

std::optional<std::string> password_unfit(kopia_result const& result) {
  if (!result.password_unfit) return std::nullopt;
  return "This password opens the repository, but kopiur would create none with it. " + *result.password_unfit;
}

}  // namespace

resolved_repository where(rules::any_repository const& repository) {
  resolved_repository resolved{.kind = repository.kind, .name = repository.meta->name, .unique_ID = repository.status->unique_ID};
  if (!repository.cluster) resolved.namespace_ = repository.meta->namespace_;
  return resolved;
}

bool found_in(backup const& one, rules::any_repository const& repository) {
  auto& in = one.status.resolved;
  if (!in || !in->repository) return false;
  auto here = where(repository);
  return in->repository->kind == here.kind && in->repository->name == here.name && in->repository->namespace_ == here.namespace_;
}

bool is_discovered(backup const& object) { return object.status.origin == backup_origin::discovered; }

bool awaits_status(backup const& object) {
  bool runs_nothing = !object.spec.config_ref && !object.spec.import_;
  bool told = object.status.phase || object.status.origin || object.status.snapshot;
  return runs_nothing && !told && !object.metadata.deletion_timestamp && object.metadata.name.starts_with(row_prefix);
}

changes default_maintenance(controller::objects const& all, rules::any_repository const& repository) {
  changes wanted;
  bool used = repository.status->unique_ID && !repository.meta->deletion_timestamp;
  maintenance const* ours = nullptr;
  bool users = false;
  for (auto* one : rules::maintenances_of(all, repository)) {
    if (rules::is_default(*one))
      ours = one;
    else
      users = true;
  }
  if (ours && users) wanted.remove.push_back(controller::ref_of(*ours));
  if (ours || users || !used) return wanted;
  maintenance fresh{.api_version = std::string(api_version), .kind = std::string(maintenance::info.kind)};
  fresh.metadata.name = "default-" + repository.meta->name;
  fresh.metadata.namespace_ = rules::home_of(repository);
  fresh.metadata.labels[std::string(label::default_maintenance)] = "true";
  fresh.spec.repository = {.kind = repository.kind, .name = repository.meta->name, .namespace_ = {}};
  wanted.create.push_back(json::encode(fresh));
  return wanted;
}

std::vector<object_ref> all_repositories(controller::objects const& all) {
  std::vector<object_ref> found;
  rules::for_each_repository(all, [&](rules::any_repository const& one) { found.push_back(one.ref()); });
  return found;
}

std::vector<object_ref> repositories_of(controller::objects const& all, object_ref const& changed) {
  if (changed.kind == repository::info.kind || changed.kind == cluster_repository::info.kind) return {changed};
  if (changed.kind != maintenance::info.kind) return {};
  auto* there = controller::find(all.of<maintenance>(), changed.namespace_, changed.name);
  if (!there) return all_repositories(all);
  auto repository = rules::find_repository(all, there->spec.repository, changed.namespace_);
  return repository ? std::vector{repository->ref()} : std::vector<object_ref>{};
}

bool may_change_count(controller::objects const& all, object_ref const& changed) {
  if (changed.kind != backup::info.kind) return false;
  auto* there = controller::find(all.of<backup>(), changed.namespace_, changed.name);
  return there ? is_discovered(*there) : changed.name.starts_with(row_prefix);
}

void list_summary::add(snapshot_row const& row) {
  ids_.push_back(row.failed_count > 0 ? row.id + " partial" : row.id);
  auto [known, fresh] = newest_.try_emplace(rules::identity_text(row.source), row.end_time, row.size_bytes);
  if (!fresh && known->second.end_time < row.end_time) known->second = {row.end_time, row.size_bytes};
}

std::int64_t list_summary::total_bytes() const {
  std::int64_t sum = 0;
  for (auto& [_, one] : newest_) sum += one.size_bytes;
  return sum;
}

std::string list_summary::content() && {
  std::ranges::sort(ids_);
  std::vector<std::string_view> views(ids_.begin(), ids_.end());
  return hash::digest_hex(hash::parts(views), 32);
}

snapshot_list after_list(snapshot_list before, rules::any_repository const& repository, run_state const& run, list_summary list,
                         instant now) {
  auto next = std::move(before);
  next.uid = repository.meta->uid, next.unique_ID = *repository.status->unique_ID;
  next.list = run.run, next.begun_after = run.committed_after, next.listed_at = now;
  next.snapshots = list.snapshots(), next.total_bytes = list.total_bytes();
  auto content = std::move(list).content();
  if (next.content != content || next.listed_by.empty()) next.changed_at = now;
  next.content = std::move(content);
  return next;
}

status_fragment status_of(controller::objects const& all, rules::any_repository const& repository, run_state const* connect,
                          run_state const* discover, snapshot_list const& list) {
  auto said = judge(repository, connect, discover);
  repository_status written{.phase = said.phase, .backend = std::string(backend_name(repository.spec->backend))};
  auto* failed = said.phase == repository_phase::Failed ? connect : said.phase == repository_phase::Degraded ? discover : nullptr;
  if (failed && !failed->log_tail.empty()) written.log_tail = failed->log_tail;
  auto* result = succeeded(connect) ? rules::result_of(*connect) : nullptr;
  if (result) written.unique_ID = result->unique_ID;
  if (!list.listed_by.empty()) {
    written.storage_stats = storage_stats{list.snapshots, list.total_bytes, list.changed_at};
    catalog_status catalog{.last_refresh_at = list.changed_at};
    for (auto& [_, one] : all.of<backup>())
      if (is_discovered(one) && found_in(one, repository)) ++catalog.discovered_backup_count;
    written.catalog = catalog;
  }
  std::vector<condition_fragment> conditions{said.ready, said.connected, maintenance_owned(all, repository)};
  auto& stated = repository.status->conditions;
  if (result)
    if (auto fit = rules::fitness(condition_type::password_fit, stated, "Unfit", password_unfit(*result)))
      conditions.push_back(std::move(*fit));
  auto spec = repository.cluster ? json::encode(*repository.cluster) : json::encode(*repository.spec);
  auto unfit = rules::spec_unfit(json::to_text(repository.kind), *repository.meta, std::move(spec));
  if (auto fit = rules::fitness(condition_type::spec_fit, stated, "RefusedToday", std::move(unfit))) conditions.push_back(std::move(*fit));
  if (repository.cluster)
    written.allowed_namespace_count = allowed_count(all, *repository.cluster), conditions.push_back(tenancy_enforced(*repository.cluster));
  return {.uid = repository.meta->uid,
          .observed_generation = repository.meta->generation,
          .status = json::encode(written),
          .conditions = std::move(conditions)};
}

status_fragment status_of(backup const& object, rules::any_repository const& repository, snapshot_row const& row) {
  backup_status status{
      .phase = backup_phase::Discovered, .origin = backup_origin::discovered, .snapshot = backup_snapshot{row.id, row.source}};
  status.resolved = backup_resolved{.repository = where(repository), .identity = row.source};
  status.timing = run_timing{
      .start_time = row.start_time, .end_time = row.end_time, .duration_seconds = rules::seconds_between(row.start_time, row.end_time)};
  status.stats = snapshot_stats{.size_bytes = row.size_bytes, .error_count = row.error_count};
  return {.uid = object.metadata.uid,
          .observed_generation = object.metadata.generation,
          .status = json::encode(status),
          .conditions = {
              condition(condition_type::ready, true, "Discovered", "Found in the repository; deleting this object keeps the snapshot.")}};
}

status_fragment not_listed(backup const& object) {
  return {.uid = object.metadata.uid,
          .observed_generation = object.metadata.generation,
          .status = json::value::make_object(),
          .conditions = {condition(condition_type::ready, false, "NotListed",
                                   "No complete list of a repository has shown the snapshot of this Backup yet; the next one decides.")}};
}

}  // namespace kopiur::catalog_discovery
