#pragma once
#include <boost/mp11/algorithm.hpp>
#include <concepts>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "proto/core/object_ref.hpp"
#include "proto/events/command.hpp"
#include "proto/events/kind_state.hpp"
#include "proto/kinds.hpp"
#include "services/controller/core/decoding.hpp"

/// The objects of one cluster as typed tables, filled from the gateway's mirror on the bus. Data and look-ups only.
namespace kopiur::controller {

struct name_key {
  std::string namespace_, name;
  auto operator<=>(name_key const&) const = default;
};
template <class T>
using table = std::map<name_key, T>;

/// What is kept of a Secret: never its content.
struct secret_metadata {
  static constexpr auto& info = proto::secret::info;
  std::string uid, resource_version;
};

/// The kinds that services read. Jobs are named `<run>-<attempt>`. Outside a cluster, only Namespaces with a manifest exist, and no
/// StorageClass. An object of a foreign kind is looked up by find_foreign.
using cached_kinds = boost::mp11::mp_append<proto::own_kinds, proto::foreign_kinds,
                                            boost::mp11::mp_list<proto::persistent_volume_claim, proto::persistent_volume,
                                                                 proto::storage_class, proto::core_namespace, secret_metadata, proto::job>>;

/// The kinds among them that users write: all but Jobs, volumes and Secrets, which only the engine reads.
using manifest_kinds =
    boost::mp11::mp_append<proto::own_kinds, boost::mp11::mp_list<proto::persistent_volume_claim, proto::core_namespace>>;
/// The names of the kinds in a list.
template <class List>
std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for (auto& each : proto::infos_of(List{})) names.emplace_back(each.kind);
  return names;
}

/// A kind whose objects belong to another object of their namespace, named by `owner_name`: the cache knows the members of each owner.
template <class T>
concept has_owner = requires(T const& one) {
  { owner_name(one) } -> std::same_as<std::optional<std::string>>;
};
/// A kind whose objects are found by `source_name` too.
template <class T>
concept has_source = requires(T const& one) {
  { source_name(one) } -> std::same_as<std::optional<std::string>>;
};
/// A kind that the cache keeps only in part: `drop_unread` drops the rest.
template <class T>
concept has_unread = requires(T& one) { drop_unread(one); };

struct objects {
  /// The table of a kind. Cluster-scoped objects have an empty namespace.
  template <class T>
  table<T>& of() {
    return std::get<table<T>>(tables);
  }
  template <class T>
  table<T> const& of() const {
    return std::get<table<T>>(tables);
  }
  /// The names of the members of an owner, or of a source (see has_owner, has_source); nullptr: unknown, since the tables were filled by
  /// hand and not by apply().
  template <has_owner T>
  std::set<std::string> const* members_of(name_key const& owner) const {
    static std::set<std::string> const none;
    auto kind = members.find(T::info.kind);
    if (kind == members.end()) return nullptr;
    auto found = kind->second.find(owner);
    return found == kind->second.end() ? &none : &found->second;
  }

  /// What the gateway knows of a foreign kind, or of one that another operator may serve.
  template <proto::kind_with_state T>
  proto::kind_presence presence_of() const {
    auto found = presences.find(T::info.kind);
    return found == presences.end() ? proto::kind_presence::Unknown : found->second;
  }

  bool listed = false;  ///< the gateway has reported that the mirror is complete
  boost::mp11::mp_rename<boost::mp11::mp_transform<table, cached_kinds>, std::tuple> tables;
  std::map<std::string, proto::kind_presence, std::less<>> presences;             ///< of the kinds that have a state
  std::map<std::string_view, std::map<name_key, std::set<std::string>>> members;  ///< by kind, and owner or source; maintained by apply()
  std::set<proto::object_key> unreadable;  ///< objects that exist but could not be read: no table has them; maintained by apply()
};

/// Applies one message of the mirror; `body` nullptr: the object was deleted. Returns what changed, or why the message could not be read:
/// an object that does not decode never stops the others (it counts as absent, and the caller reports it).
std::expected<proto::object_ref, json::problem> apply(objects& all, std::string_view subject, std::string const* body,
                                                      shared_decoder* by = nullptr);

/// Drops what no service reads of an object (see has_unread).
void lighten(objects& all, proto::object_ref const& object);

/// The metadata of a cached object, by kind and name; nullptr when it does not exist.
proto::object_meta const* find_meta(objects const& all, std::string_view kind, name_key const& key);

/// A reference to this object, with its uid.
template <class T>
proto::object_ref ref_of(T const& object) {
  return proto::ref_to<T>(object.metadata.namespace_, object.metadata.name, object.metadata.uid);
}

/// True when the labels satisfy the selector (an empty selector matches all).
bool matches(proto::label_selector const& selector, std::map<std::string, std::string> const& labels);

/// The objects of one namespace, by name.
template <class T>
auto in_namespace(table<T> const& all, std::string const& ns) {
  auto next = ns + '\0';  // the smallest string greater than `ns`
  return std::ranges::subrange(all.lower_bound({ns, ""}), all.lower_bound({next, ""}));
}
template <class T>
  requires(!proto::foreign_kind<T>)
T const* find(table<T> const& in, std::string const& ns, std::string const& name) {
  auto found = in.find({ns, name});
  return found == in.end() ? nullptr : &found->second;
}
/// An object of a foreign kind; nullptr: it does not exist. Its kind's presence instead, unless that is Listed: then the object is unknown,
/// whatever the table still has.
template <proto::foreign_kind T>
std::expected<T const*, proto::kind_presence> find_foreign(objects const& all, std::string const& ns, std::string const& name) {
  if (auto presence = all.presence_of<T>(); presence != proto::kind_presence::Listed) return std::unexpected(presence);
  auto found = all.of<T>().find({ns, name});
  return found == all.of<T>().end() ? nullptr : &found->second;
}
std::string_view lookup(std::map<std::string, std::string> const& in, std::string_view key);

}  // namespace kopiur::controller
