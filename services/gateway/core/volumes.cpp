#include "services/gateway/core/volumes.hpp"

#include <algorithm>

#include "common/json/codec.hpp"
#include "proto/kinds.hpp"
#include "proto/kopiur/names.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {

namespace {

bool claimed_by(json::value const& volume, json::value const& claim) {
  if (volume.text("spec.claimRef.name") != claim.text("metadata.name")) return false;
  if (volume.text("spec.claimRef.namespace") != claim.text("metadata.namespace")) return false;
  auto uid = volume.text("spec.claimRef.uid");
  return uid.empty() || uid == uid_of(claim);
}

json::value const* named(std::string_view name, std::vector<json::value> const& volumes) {
  auto found = std::ranges::find_if(volumes, [&](json::value const& one) { return one.text("metadata.name") == name; });
  return found == volumes.end() ? nullptr : &*found;
}

}  // namespace

std::optional<std::string> host_path(json::value const& volume) {
  auto path = volume.text("spec.hostPath.path");
  if (path.empty() || path.front() != '/') return std::nullopt;
  return std::string(path);
}

json::value const* volume_of(json::value const& claim, std::vector<json::value> const& volumes) {
  if (auto name = claim.text("spec.volumeName"); !name.empty()) return named(name, volumes);
  auto found = std::ranges::find_if(volumes, [&](json::value const& one) { return claimed_by(one, claim); });
  return found == volumes.end() ? nullptr : &*found;
}

std::string filling_restore(json::value const& claim) {
  for (auto* field : {"spec.dataSourceRef", "spec.dataSource"}) {
    auto* named = claim.at(field);
    if (!named || named->is_null()) continue;
    auto source = json::decode<proto::data_source_ref>(*named);
    return source ? proto::filling_restore(*source, claim.text("metadata.namespace")) : std::string();
  }
  return {};
}

bool waits_for_data(json::value const& claim) {
  return !filling_restore(claim).empty() && annotation(claim, proto::annotation::restored_by).empty();
}

claim_step judge_claim(json::value const& claim, std::vector<json::value> const& volumes) {
  auto* volume = volume_of(claim, volumes);
  auto wanted = claim.text("spec.volumeName");
  if (!volume) {
    if (wanted.empty() || wanted == made_volume_name(claim)) return make_volume{};
    return wait_for{"The PersistentVolume \"" + std::string(wanted) + "\" that spec.volumeName names does not exist: add its manifest."};
  }
  auto name = std::string(volume->text("metadata.name"));
  if (!host_path(*volume))
    return wait_for{"The PersistentVolume \"" + name +
                    "\" has no absolute spec.hostPath.path: outside a cluster only such volumes can be used."};
  auto holder = volume->text("spec.claimRef.name");
  if (!holder.empty() && !claimed_by(*volume, claim))
    return wait_for{"The PersistentVolume \"" + name + "\" is reserved for the claim " +
                    std::string(volume->text("spec.claimRef.namespace")) + "/" + std::string(holder) + "."};
  if (auto other = annotation(*volume, bound_to); !other.empty() && other != holder_text(claim))
    return wait_for{"The PersistentVolume \"" + name + "\" is bound to another claim (" + std::string(other) + ")."};
  if (wanted.empty() && waits_for_data(claim))
    return wait_for{"The Restore \"" + filling_restore(claim) + "\" fills this claim before it is bound."};
  return bind_claim{name};
}

std::string made_volume_name(json::value const& claim) { return "pvc-" + std::string(uid_of(claim)); }

json::value volume_for(json::value const& claim, std::string const& folder) {
  auto ref = json::value(json::object{{"apiVersion", "v1"},
                                      {"kind", proto::persistent_volume_claim::info.kind},
                                      {"namespace", claim.text("metadata.namespace")},
                                      {"name", claim.text("metadata.name")},
                                      {"uid", uid_of(claim)}});
  auto spec = json::value::make_object();
  if (auto* request = claim.at("spec.resources.requests")) spec.set("capacity", *request);
  if (auto* modes = claim.at("spec.accessModes")) spec.set("accessModes", *modes);
  if (auto storage_class = claim.text("spec.storageClassName"); !storage_class.empty()) spec.set("storageClassName", storage_class);
  spec.set("persistentVolumeReclaimPolicy", "Retain");
  spec.set("hostPath", json::object{{"path", folder}});
  spec.set("claimRef", std::move(ref));
  return json::object{{"apiVersion", "v1"},
                      {"kind", proto::persistent_volume::info.kind},
                      {"metadata", json::object{{"name", made_volume_name(claim)}}},
                      {"spec", std::move(spec)}};
}

std::string holder_text(json::value const& claim) {
  return std::string(claim.text("metadata.namespace")) + "/" + std::string(claim.text("metadata.name")) + "/" + std::string(uid_of(claim));
}

json::value bound_status(json::value const& claim, json::value const& volume) {
  auto status = json::value(json::object{{"phase", "Bound"}});
  if (auto* modes = claim.at("spec.accessModes")) status.set("accessModes", *modes);
  auto* capacity = volume.at("spec.capacity") ? volume.at("spec.capacity") : claim.at("spec.resources.requests");
  if (capacity) status.set("capacity", *capacity);
  return status;
}

json::value pending_status(std::string const& reason) { return json::object{{"phase", "Pending"}, {"message", reason}}; }

}  // namespace kopiur::gateway
