#include "services/catalog-discovery/core/comparison.hpp"

#include <algorithm>
#include <limits>

#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/catalog-discovery/core/catalog.hpp"
#include "services/retention/core/trim.hpp"
#include "services/systems/kopiur/rules/belonging.hpp"
#include "services/systems/kopiur/rules/identity.hpp"
#include "services/systems/kopiur/rules/run_ids.hpp"

namespace kopiur::catalog_discovery {

using namespace proto;

namespace {

std::string repository_of(backup const& one) {
  auto& in = one.status.resolved;
  return in && in->repository ? in->repository->unique_ID.value_or("") : "";
}

/// The namespace whose config may have taken the snapshot, if it exists and is allowed; else `catalog.fallbackNamespace`.
std::optional<std::string> namespace_for(controller::objects const& all, rules::any_repository const& repository, identity const& source) {
  if (!repository.cluster) return repository.meta->namespace_;
  std::set<std::string> known;
  for (auto& [key, _] : all.of<core_namespace>()) known.insert(key.name);
  if (known.empty()) known.insert(source.hostname);  // outside a cluster a namespace needs no object
  for (auto& [key, _] : all.of<backup_config>()) known.insert(key.namespace_);
  for (auto& [key, one] : all.of<core_namespace>())
    if (one.metadata.deletion_timestamp) known.erase(key.name);  // a terminating namespace accepts no objects
  for (auto& ns : known)
    if (rules::may_be_of(*repository.cluster, source, ns) && rules::allows(all, *repository.cluster, ns)) return ns;
  return repository.spec->catalog.fallback_namespace;
}

std::string name_for(std::string const& unique_ID, std::string const& snapshot) {
  return std::string(row_prefix) + hash::digest_hex({unique_ID, snapshot}, 16);
}

json::value manifest(rules::any_repository const& repository, snapshot_row const& row, std::string const& ns) {
  backup object{.api_version = std::string(api_version), .kind = std::string(backup::info.kind)};
  object.metadata.name = name_for(*repository.status->unique_ID, row.id);
  object.metadata.namespace_ = ns;
  object.metadata.labels[std::string(label::origin)] = "discovered";
  object.metadata.labels[std::string(label::repository)] = repository.meta->name;
  object.metadata.labels[std::string(label::identity_hash)] = rules::identity_hash(row.source);
  return json::encode(object);
}

/// Whether its label says that it was created for a row of this repository. That is enough for a Backup that represents no snapshot yet.
bool made_for(controller::objects const& all, backup const& one, rules::any_repository const& repository) {
  auto &ns = one.metadata.namespace_, &name = repository.meta->name;
  bool in_reach = repository.cluster ? !controller::find(all.of<proto::repository>(), ns, name) : ns == repository.meta->namespace_;
  return in_reach && controller::lookup(one.metadata.labels, label::repository) == name;
}

/// Keeps the rows of one identity that are within `catalog.retain`.
void keep_within(std::vector<snapshot_row const*> const& of_one, catalog_retain const& bounds, instant now,
                 std::vector<snapshot_row const*>& kept) {
  std::vector<retention::row> judged;
  for (auto* row : of_one)
    judged.push_back({.id = row->id,
                      .ended = row->end_time,
                      .origin = backup_origin::discovered,
                      .phase = backup_phase::Discovered,
                      .has_snapshot = true});
  std::set<std::size_t> out;
  for (auto& each : retention::trim_discovered(judged, bounds, now)) out.insert(each.row);
  for (std::size_t i = 0; i < of_one.size(); ++i)
    if (!out.contains(i)) kept.push_back(of_one[i]);
}

}  // namespace

void taken_here::add(controller::objects const& all, backup const& one) {
  if (is_discovered(one)) return;
  if (one.status.snapshot) snapshots_.emplace(one.status.snapshot->kopia_snapshot_ID, repository_of(one));
  bool gave_up = one.status.phase == backup_phase::Failed && !one.status.snapshot;
  if (gave_up) return;
  auto run = controller::lookup(one.metadata.labels, label::run);
  if (!run.empty() && rules::proves_its_run(all, one)) runs_.emplace(run);
  if (one.status.job) runs_.insert(one.status.job->name.substr(0, one.status.job->name.rfind('-')));
}

bool taken_here::records(std::string const& snapshot, std::string const& unique_ID) const {
  return snapshots_.contains({snapshot, unique_ID}) || snapshots_.contains({snapshot, ""});
}

bool comparison::step(controller::objects const& all, rules::any_repository const& repository, std::size_t most) {
  auto more = [&] {
    switch (stage_) {
      case 0:
        return index(all, most);
      case 1:
        return sort_out(*repository.status->unique_ID, most);
      case 2:
        return bound(repository, most);
      case 3:
        return name(all, repository, most);
      default:
        return clear(all, repository, most);
    }
  };
  if (more()) return true;
  constexpr int last = 4;
  after_ = {}, next_ = 0;
  return stage_++ < last;
}

bool comparison::index(controller::objects const& all, std::size_t most) {
  return each_backup(all, after_, most, [&](backup const& one) { here_.add(all, one); });
}

bool comparison::sort_out(std::string const& unique_ID, std::size_t most) {
  for (; next_ < rows_.size() && most > 0; ++next_, --most) {
    auto& row = rows_[next_];
    bool ours = here_.records(row.id, unique_ID) || (row.run && (run_is_alive_(*row.run) || here_.has_run(*row.run)));
    if (!ours) foreign_[rules::identity_text(row.source)].push_back(&row);
  }
  return next_ < rows_.size();
}

bool comparison::bound(rules::any_repository const& repository, std::size_t most) {
  auto& bounds = repository.spec->catalog.retain;
  while (!foreign_.empty() && most > 0) {
    auto of_one = std::move(foreign_.extract(foreign_.begin()).mapped());
    most -= std::min(most, of_one.size());
    if (bounds)
      keep_within(of_one, *bounds, now_, kept_);
    else
      std::ranges::copy(of_one, std::back_inserter(kept_));
  }
  return !foreign_.empty();
}

bool comparison::name(controller::objects const& all, rules::any_repository const& repository, std::size_t most) {
  for (; next_ < kept_.size() && most > 0; ++next_, --most) {
    auto& row = *kept_[next_];
    auto [known, fresh] = namespaces_.try_emplace(row.source);
    if (fresh) known->second = namespace_for(all, repository, row.source);
    auto& ns = known->second;
    if (!ns) continue;
    controller::name_key key{*ns, name_for(*repository.status->unique_ID, row.id)};
    stay_.insert(key);
    auto* there = controller::find(all.of<backup>(), key.namespace_, key.name);
    if (!there) found_.create.push_back(manifest(repository, row, *ns));
    if (!there || awaits_status(*there)) found_.untold.emplace(std::move(key), row);
  }
  return next_ < kept_.size();
}

bool comparison::clear(controller::objects const& all, rules::any_repository const& repository, std::size_t most) {
  return each_backup(all, after_, most, [&](backup const& one) {
    bool its = is_discovered(one) ? found_in(one, repository) : awaits_status(one) && made_for(all, one, repository);
    bool stays = stay_.contains({one.metadata.namespace_, one.metadata.name});
    if (its && !stays && !one.metadata.deletion_timestamp) found_.remove.push_back(controller::ref_of(one));
  });
}

changes reconcile(controller::objects const& all, rules::any_repository const& repository, std::vector<snapshot_row> const& rows,
                  comparison::alive run_is_alive, instant now) {
  comparison whole(rows, std::move(run_is_alive), now);
  while (whole.step(all, repository, std::numeric_limits<std::size_t>::max())) continue;
  return std::move(whole).result();
}

}  // namespace kopiur::catalog_discovery
