#pragma once
#include <algorithm>
#include <array>
#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>

#include "proto/core/kubernetes.hpp"
#include "proto/kopiur/backup.hpp"
#include "proto/kopiur/backup_config.hpp"
#include "proto/kopiur/backup_schedule.hpp"
#include "proto/kopiur/maintenance.hpp"
#include "proto/kopiur/names.hpp"
#include "proto/kopiur/repository.hpp"
#include "proto/kopiur/restore.hpp"

/// Every kind, once: caches, CRDs, schemas, validation, admission, watches, RBAC and the command line walk these lists.
namespace kopiur::proto {

/// The API group kopiur.home-operations.com/v1alpha1.
using kopiur_kinds = boost::mp11::mp_list<repository, cluster_repository, backup_config, backup, backup_schedule, restore, maintenance>;
/// What kopiur defines: each has a CRD, a schema and a webhook.
using own_kinds = boost::mp11::mp_append<kopiur_kinds>;
/// What the local adapter reads of Kubernetes' own.
using core_kinds = boost::mp11::mp_list<persistent_volume, persistent_volume_claim, secret, config_map, core_namespace>;
/// What the gateway tells of a cluster besides Jobs; of Secrets their metadata alone.
using mirrored_kinds =
    boost::mp11::mp_append<own_kinds,
                           boost::mp11::mp_list<core_namespace, persistent_volume_claim, persistent_volume, storage_class, secret>>;

/// The info of each kind of a list.
template <class... Kind>
constexpr std::array<kind_info, sizeof...(Kind)> infos_of(boost::mp11::mp_list<Kind...>) {
  return {Kind::info...};
}
/// Of one of our own kinds; nullptr: the name is none of them.
inline kind_info const* own_kind(std::string_view name) {
  static constexpr auto kinds = infos_of(own_kinds{});
  auto found = std::ranges::find(kinds, name, &kind_info::kind);
  return found == kinds.end() ? nullptr : &*found;
}
/// What `f` makes of the kind of that name in a list, given as std::type_identity; `otherwise` where the list has none.
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
