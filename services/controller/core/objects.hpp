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
#include "services/controller/core/decoding.hpp"

/// The objects of one cluster, as typed tables that are filled from the gateway's mirror on the bus. Data and look-ups only.
namespace kopiur::controller {

struct name_key {
  std::string namespace_, name;
  auto operator<=>(name_key const&) const = default;
};
template <class T>
using table = std::map<name_key, T>;

/// What is known of a Secret: never its content.
struct secret_metadata {
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
  table<secret_metadata> secrets;
  table<proto::core_namespace> namespaces;  ///< namespace empty; outside a cluster only those that have a manifest
  table<proto::job> jobs;                   ///< name `<run>-<attempt>`
  bool listed = false;                      ///< the gateway has said that the mirror is complete
  /// The names of each config's Backups, kept by apply() from the first Backup on: none in tables that were filled by hand.
  std::optional<std::map<name_key, std::set<std::string>>> backups_by_config;
};

/// Takes one message of the mirror; `body` nullptr: the object is gone. Returns what changed, or why the message could not be read: one
/// object that does not decode never stops the others (it counts as absent, and the caller says so).
std::expected<proto::object_ref, json::problem> apply(objects& all, std::string_view subject, std::string const* body,
                                                      shared_decoder* by = nullptr);

/// Drops of an object, by thousands the most of it, what no service reads: of a Backup its conditions, progress and log.
void lighten(objects& all, proto::object_ref const& object);

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

}  // namespace kopiur::controller
