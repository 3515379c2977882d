#pragma once
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>

#include "proto/events/command.hpp"
#include "proto/events/object_ref.hpp"
#include "proto/kinds/kinds.hpp"

/// The objects of one cluster as a service sees them: typed tables, filled from the gateway's mirror on the bus. Data and look-ups only.
namespace kopiur::mirror {

struct name_key {
  std::string namespace_, name;
  auto operator<=>(name_key const&) const = default;
};
template <class T>
using table = std::map<name_key, T>;

/// What the mirror says of a Secret: never its content.
struct secret_sight {
  std::string uid, resource_version;
};

struct objects {
  table<proto::repository> repositories;
  table<proto::cluster_repository> cluster_repositories;  ///< namespace empty
  table<proto::backup_config> configs;
  table<proto::backup> backups;
  table<proto::backup_schedule> schedules;
  table<proto::restore> restores;
  table<proto::maintenance> maintenances;
  table<proto::persistent_volume_claim> claims;
  table<proto::persistent_volume> volumes;
  table<proto::storage_class> storage_classes;  ///< namespace empty
  table<secret_sight> secrets;
  table<proto::core_namespace> namespaces;  ///< namespace empty; outside a cluster only those that have a manifest
  table<proto::job> jobs;                   ///< name `<run>-<attempt>`
  bool listed = false;                      ///< the gateway has said that the mirror is complete
  /// The names of each config's Backups, kept by apply() from the first Backup on: none in tables that were filled by hand.
  std::optional<std::map<name_key, std::set<std::string>>> backups_by_config;
};

/// Takes one message of the mirror; `body` nullptr: the object is gone. Returns what changed, or why the message could not be read: one
/// object that does not decode never stops the others (it counts as absent, and the caller says so).
std::expected<proto::object_ref, json::problem> apply(objects& all, std::string_view subject, std::string const* body);

/// Drops of an object, by thousands the most of it, what no service reads: of a Backup its conditions, progress and log.
void lighten(objects& all, proto::object_ref const& object);

/// One repository of either kind.
struct repository_sight {
  proto::repository_kind kind = proto::repository_kind::Repository;
  proto::object_meta const* meta = nullptr;
  proto::repository_spec const* spec = nullptr;
  proto::repository_status const* status = nullptr;
  proto::cluster_repository_spec const* cluster = nullptr;  ///< ClusterRepository only

  proto::object_ref ref() const;
};
/// The repository that `ref` names, seen from `consumer_namespace`; nothing when it is not there.
std::optional<repository_sight> find_repository(objects const& all, proto::repository_ref const& ref, std::string_view consumer_namespace);
/// The repository that an object_ref of either kind means.
std::optional<repository_sight> find_repository(objects const& all, proto::object_ref const& repository);
/// Does `ref`, seen from `consumer_namespace`, name the repository of that kind, namespace (a ClusterRepository has none) and name, whether
/// it is there or not?
bool names(proto::repository_ref const& ref, std::string_view consumer_namespace, proto::repository_kind kind, std::string_view ns,
           std::string_view name);
bool names(proto::repository_ref const& ref, std::string_view consumer_namespace, proto::object_ref const& repository);
bool names(proto::repository_ref const& ref, std::string_view consumer_namespace, repository_sight const& repository);
/// Calls `f(repository_sight)` for each of both kinds.
template <class F>
void for_each_repository(objects const& all, F&& f) {
  for (auto& [_, one] : all.repositories)
    f(repository_sight{proto::repository_kind::Repository, &one.metadata, &one.spec, &one.status, nullptr});
  for (auto& [_, one] : all.cluster_repositories)
    f(repository_sight{proto::repository_kind::ClusterRepository, &one.metadata, &one.spec.common, &one.status, &one.spec});
}

/// The metadata of an object of ours, by kind and name; nullptr when it is not there.
proto::object_meta const* find_meta(objects const& all, std::string_view kind, name_key const& key);

/// What names this very object.
template <class T>
proto::object_ref ref_of(T const& object) {
  return {std::string(T::info.kind), object.metadata.namespace_, object.metadata.name, object.metadata.uid};
}

/// True when the labels satisfy the selector (an empty selector takes all).
bool matches(proto::label_selector const& selector, std::map<std::string, std::string> const& labels);

/// Those of one namespace, by name.
template <class T>
auto in_namespace(table<T> const& all, std::string const& ns) {
  auto next = ns + '\0';  // the least that comes after it
  return std::ranges::subrange(all.lower_bound({ns, ""}), all.lower_bound({next, ""}));
}
template <class T>
T const* find(table<T> const& in, std::string const& ns, std::string const& name) {
  auto found = in.find({ns, name});
  return found == in.end() ? nullptr : &found->second;
}
std::string_view lookup(std::map<std::string, std::string> const& in, std::string_view key);

}  // namespace kopiur::mirror
