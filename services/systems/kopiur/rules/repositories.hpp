#pragma once
#include <optional>
#include <string_view>

#include "services/controller/core/objects.hpp"

/// Lookup of repositories of both kinds.
namespace kopiur::rules {

/// One repository of either kind.
struct any_repository {
  proto::repository_kind kind = proto::repository_kind::Repository;
  proto::object_meta const* meta = nullptr;
  proto::repository_spec const* spec = nullptr;
  proto::repository_status const* status = nullptr;
  proto::cluster_repository_spec const* cluster = nullptr;  ///< ClusterRepository only

  proto::object_ref ref() const;
};
/// The repository that `ref` names, as seen from `consumer_namespace`; nothing: it does not exist.
std::optional<any_repository> find_repository(controller::objects const& all, proto::repository_ref const& ref,
                                              std::string_view consumer_namespace);
/// The repository that an object_ref of either kind refers to.
std::optional<any_repository> find_repository(controller::objects const& all, proto::object_ref const& repository);
/// Whether `ref`, as seen from `consumer_namespace`, names the repository of that kind, namespace (none for a ClusterRepository) and name.
/// The repository need not exist.
bool names(proto::repository_ref const& ref, std::string_view consumer_namespace, proto::repository_kind kind, std::string_view ns,
           std::string_view name);
bool names(proto::repository_ref const& ref, std::string_view consumer_namespace, proto::object_ref const& repository);
bool names(proto::repository_ref const& ref, std::string_view consumer_namespace, any_repository const& repository);
/// Calls `f(any_repository)` for each of both kinds.
template <class F>
void for_each_repository(controller::objects const& all, F&& f) {
  for (auto& [_, one] : all.of<proto::repository>())
    f(any_repository{proto::repository_kind::Repository, &one.metadata, &one.spec, &one.status, nullptr});
  for (auto& [_, one] : all.of<proto::cluster_repository>())
    f(any_repository{proto::repository_kind::ClusterRepository, &one.metadata, &one.spec.common, &one.status, &one.spec});
}

}  // namespace kopiur::rules
