#pragma once
#include <algorithm>
#include <array>
#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>

#include "proto/core/kubernetes.hpp"
#include "proto/hypershift/hosted.hpp"
#include "proto/openbao/openbao_cluster.hpp"
#include "systems/kinds.hpp"  // own_kinds: the kinds of all systems, made from KOPIUR_SYSTEMS (services/systems/list.cmake)

/// The lists of all kinds. Caches, CRDs, schemas, validation, admission, watches, RBAC and the command line iterate over them.
namespace kopiur::proto {

/// The Kubernetes kinds that the local adapter reads.
using core_kinds = boost::mp11::mp_list<persistent_volume, persistent_volume_claim, secret, config_map, core_namespace>;
/// The kinds of others, which a cluster may lack: they are mirrored as far as they are installed, and hold up nothing. Those with a system
/// only where that is on.
using foreign_kinds = boost::mp11::mp_list<volume_snapshot_class, hosted_control_plane, hosted_cluster, openbao_cluster>;
/// Those among them whose definition kopiur ships, for clusters without their operator.
using shipped_kinds = boost::mp11::mp_list<openbao_cluster>;
/// The kinds that every cluster has and the gateway mirrors, in addition to Jobs; of Secrets only the metadata.
using required_kinds =
    boost::mp11::mp_append<own_kinds,
                           boost::mp11::mp_list<core_namespace, persistent_volume_claim, persistent_volume, storage_class, secret>>;
/// All that the gateway mirrors, except Jobs.
using mirrored_kinds = boost::mp11::mp_append<required_kinds, foreign_kinds>;

/// The info of each kind of a list.
template <class... Kind>
constexpr std::array<kind_info, sizeof...(Kind)> infos_of(boost::mp11::mp_list<Kind...>) {
  return {Kind::info...};
}
/// Info of one of kopiur's own kinds; nullptr: there is no such kind.
inline kind_info const* own_kind(std::string_view name) {
  static constexpr auto kinds = infos_of(own_kinds{});
  auto found = std::ranges::find(kinds, name, &kind_info::kind);
  return found == kinds.end() ? nullptr : &*found;
}
/// Whether a cluster may lack the kind of this name.
inline bool is_foreign(std::string_view name) {
  static constexpr auto kinds = infos_of(foreign_kinds{});
  return std::ranges::find(kinds, name, &kind_info::kind) != kinds.end();
}
/// Whether the gateway tells the state of the kind of this name (kind_state).
inline bool has_state(std::string_view name) {
  auto* own = own_kind(name);
  return own ? !own->other_operator.empty() : is_foreign(name);
}
/// Calls `f` with the kind of that name as std::type_identity and returns its result; `otherwise` if the list has no such kind.
template <class F, class Result, class... Kind>
Result visit_kind(boost::mp11::mp_list<Kind...>, std::string_view name, F&& f, Result otherwise) {
  auto try_one = [&]<class T>(std::type_identity<T> one) {
    if (name != T::info.kind) return false;
    otherwise = f(one);
    return true;
  };
  (void)(try_one(std::type_identity<Kind>{}) || ...);
  return otherwise;
}

}  // namespace kopiur::proto
