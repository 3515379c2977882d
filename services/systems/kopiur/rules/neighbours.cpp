#include "services/systems/kopiur/rules/neighbours.hpp"

#include <algorithm>

#include "proto/codec.hpp"
#include "services/systems/kopiur/rules/belonging.hpp"
#include "services/systems/kopiur/rules/identity.hpp"
#include "services/systems/kopiur/rules/sources.hpp"

namespace kopiur::rules {

using namespace proto;

namespace {

bool same(object_meta const& one, object_meta const& other) { return one.name == other.name && one.namespace_ == other.namespace_; }

bool older(backup_config const& one, backup_config const& other) {
  auto age = [](backup_config const& each) { return std::pair(each.metadata.creation_timestamp.value_or(instant{}), each.metadata.uid); };
  return age(one) < age(other);
}

std::optional<std::string> common_path(controller::objects const& all, backup_config const& one, backup_config const& other) {
  auto theirs = sources_of(all, other);
  for (auto& mine : sources_of(all, one))
    if (std::ranges::find(theirs, mine.path, &source_now::path) != theirs.end()) return mine.path;
  return {};
}

std::string text(identity const& who) { return who.username + "@" + who.hostname; }

std::optional<controller::finding> missing_repository(controller::objects const& all, repository_ref const& ref,
                                                      object_meta const& metadata) {
  if (find_repository(all, ref, metadata.namespace_)) return {};
  auto ns = ref.kind == repository_kind::Repository ? ref.namespace_.value_or(metadata.namespace_) + "/" : std::string();
  return controller::finding{"spec.repository", std::string(json::to_text(ref.kind)) + " " + ns + ref.name + " does not exist (yet)."};
}

std::optional<controller::finding> missing_config(controller::objects const& all, std::string const& name, object_meta const& metadata,
                                                  std::string field) {
  if (find(all.of<backup_config>(), metadata.namespace_, name)) return {};
  return controller::finding{std::move(field), "BackupConfig " + metadata.namespace_ + "/" + name + " does not exist (yet)."};
}

std::optional<controller::finding> missing_buckety(controller::objects const& all, backend const& where, std::string const& home) {
  auto* ref = bucket_source(where);
  auto ns = ref ? ref->namespace_.value_or(home) : home;
  if (!ref || find(all.of<buckety>(), ns, ref->name)) return {};
  return controller::finding{"spec.backend.s3.bucketyRef", "Buckety " + ns + "/" + ref->name + " does not exist (yet)."};
}

}  // namespace

std::optional<std::string> collision(controller::objects const& all, backup_config const& config, any_repository const& repository,
                                     against whom) {
  auto who = identity_of(config, repository, "");
  for (auto& [key, other] : all.of<backup_config>()) {
    if (!names(other.spec.repository, key.namespace_, repository) || same(other.metadata, config.metadata)) continue;
    if ((whom == against::older && !older(other, config)) || identity_of(other, repository, "") != who) continue;
    if (auto path = common_path(all, config, other))
      return "BackupConfig " + key.namespace_ + "/" + key.name + " records the same identity and source (" + *path +
             "), so that their snapshots could not be told apart; give one of them another spec.identity or sourcePathOverride.";
  }
  return {};
}

std::optional<controller::finding> objection_to(controller::objects const& all, backup_config const& wanted) {
  auto repository = find_repository(all, wanted.spec.repository, wanted.metadata.namespace_);
  if (!repository) return {};
  if (auto no = not_allowed(all, *repository, wanted.metadata.namespace_)) return controller::finding{"spec.repository", *no};
  if (auto foreign = foreign_identity(wanted, *repository)) return controller::finding{"spec.identity", *foreign};
  if (auto other = collision(all, wanted, *repository, against::all)) return controller::finding{"spec.identity", *other};
  auto* current = find(all.of<backup_config>(), wanted.metadata.namespace_, wanted.metadata.name);
  if (!current || backups_of(all, wanted).empty() ||
      controller::lookup(wanted.metadata.annotations, annotation::allow_identity_change) == "true")
    return {};
  auto is = identity_of(*current, *repository, ""), would_be = rendered_identity(wanted, *repository, "");
  if (is == would_be) return {};
  return controller::finding{"spec.identity", "its Backups are recorded as " + text(is) + ", and as " + text(would_be) +
                                                  " kopia would not find them as older ones of the same source; annotate the config with " +
                                                  std::string(annotation::allow_identity_change) + "=true if you want that."};
}

std::optional<controller::finding> objection_to(controller::objects const& all, maintenance const& wanted) {
  auto repository = find_repository(all, wanted.spec.repository, wanted.metadata.namespace_);
  if (!repository || is_default(wanted)) return {};
  if (auto no = may_not_maintain(all, *repository, wanted.metadata.namespace_)) return controller::finding{"spec.repository", *no};
  for (auto* other : maintenances_of(all, *repository))
    if (!is_default(*other) && !same(other->metadata, wanted.metadata))
      return controller::finding{"spec.repository", "Maintenance " + other->metadata.namespace_ + "/" + other->metadata.name +
                                                        " maintains this repository already; change that one, or delete it first."};
  return {};
}

std::optional<controller::finding> objection_to(controller::objects const& all, restore const& wanted) {
  if (!wanted.spec.repository) return {};  // then the repository is derived from an object that may be used
  auto repository = find_repository(all, *wanted.spec.repository, wanted.metadata.namespace_);
  auto no = repository ? not_allowed(all, *repository, wanted.metadata.namespace_) : std::nullopt;
  return no ? std::optional(controller::finding{"spec.repository", *no}) : std::nullopt;
}

std::optional<controller::finding> missing_beside(controller::objects const& all, proto::repository const& wanted) {
  return missing_buckety(all, wanted.spec.backend, wanted.metadata.namespace_);
}

std::optional<controller::finding> missing_beside(controller::objects const& all, cluster_repository const& wanted) {
  return missing_buckety(all, wanted.spec.common.backend, "");
}

std::optional<controller::finding> missing_beside(controller::objects const& all, backup_config const& wanted) {
  return missing_repository(all, wanted.spec.repository, wanted.metadata);
}

std::optional<controller::finding> missing_beside(controller::objects const& all, backup_schedule const& wanted) {
  return missing_config(all, wanted.spec.config_ref.name, wanted.metadata, "spec.configRef");
}

std::optional<controller::finding> missing_beside(controller::objects const& all, maintenance const& wanted) {
  return missing_repository(all, wanted.spec.repository, wanted.metadata);
}

std::optional<controller::finding> missing_beside(controller::objects const& all, restore const& wanted) {
  if (wanted.spec.repository) return missing_repository(all, *wanted.spec.repository, wanted.metadata);
  auto* from = std::get_if<from_config_source>(&wanted.spec.source);
  return from ? missing_config(all, from->name, wanted.metadata, "spec.source.fromConfig") : std::nullopt;
}

}  // namespace kopiur::rules
