#include "services/gateway/adapters/kubernetes/kinds.hpp"

#include <algorithm>
#include <array>

#include "proto/kinds/kinds.hpp"
#include "services/gateway/adapters/kubernetes/client.hpp"

namespace kopiur::gateway::kubernetes {

namespace {

template <class T>
constexpr resource ours_of{T::info.kind, proto::api_version, T::info.plural};

constexpr std::array known{ours_of<proto::repository>,
                           ours_of<proto::cluster_repository>,
                           ours_of<proto::backup_config>,
                           ours_of<proto::backup>,
                           ours_of<proto::backup_schedule>,
                           ours_of<proto::restore>,
                           ours_of<proto::maintenance>,
                           resource{"Namespace", "v1", "namespaces"},
                           resource{"Secret", "v1", "secrets"},
                           resource{"ConfigMap", "v1", "configmaps"},
                           resource{"Event", "v1", "events"},
                           resource{"Pod", "v1", "pods"},
                           resource{"PersistentVolume", "v1", "persistentvolumes"},
                           resource{"PersistentVolumeClaim", "v1", "persistentvolumeclaims"},
                           resource{"StorageClass", "storage.k8s.io/v1", "storageclasses"},
                           resource{"Job", "batch/v1", "jobs"}};

}  // namespace

resource const* resource_of(std::string_view kind) {
  auto found = std::ranges::find(known, kind, &resource::kind);
  return found == known.end() ? nullptr : &*found;
}

std::string path_of(resource const& of, object_key const& key, std::string_view subresource) {
  return path_of(of.group_version, of.plural, key.namespace_, key.name, subresource);
}

}  // namespace kopiur::gateway::kubernetes
