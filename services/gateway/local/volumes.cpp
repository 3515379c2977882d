#include "services/gateway/local/volumes.hpp"

#include <sys/stat.h>

#include "common/files/modes.hpp"
#include "proto/core/kubernetes.hpp"
#include "proto/kopiur/names.hpp"
#include "services/gateway/core/volumes.hpp"

namespace kopiur::gateway::local {

using proto::answer_code;

namespace {

object_key volume_key(std::string_view name) { return key_to<proto::persistent_volume>("", std::string(name)); }

void set_annotation(json::value& object, std::string_view name, std::string const& text) {
  auto& metadata = *object.find("metadata");
  if (!metadata.find("annotations")) metadata.set("annotations", json::value::make_object());
  metadata.find("annotations")->set(name, text);
}

void set_phase(json::value& volume, std::string_view phase) { volume.set("status", json::object{{"phase", phase}}); }

// Whether a Restore fills the claim: by its data source, or because the Restore requested the claim.
bool is_to_be_filled(json::value const& claim) {
  return !filling_restore(claim).empty() || !proven_or_not(claim, proto::annotation::made_for).empty();
}

}  // namespace

void volume_binder::settle() {
  for (auto const& volume : store_.of_kind(proto::persistent_volume::info.kind)) release(volume);
  for (auto& claim : store_.of_kind(proto::persistent_volume_claim::info.kind))
    if (!is_terminating(claim)) settle_claim(marks_.judged(std::move(claim)));
}

void volume_binder::settle_claim(json::value const& claim) {
  auto step = judge_claim(claim, store_.of_kind(proto::persistent_volume::info.kind));
  if (std::holds_alternative<make_volume>(step)) {
    make(claim);
    step = judge_claim(claim, store_.of_kind(proto::persistent_volume::info.kind));
  }
  if (auto* chosen = std::get_if<bind_claim>(&step)) return bind(claim, chosen->volume);
  if (auto* waits = std::get_if<wait_for>(&step))
    store_.edit(key_of(claim), [&](json::value& now) { now.set("status", pending_status(waits->reason)); });
}

void volume_binder::bind(json::value const& claim, std::string const& volume) {
  store_.edit(volume_key(volume), [&](json::value& now) {
    set_annotation(now, bound_to, holder_text(claim));
    set_phase(now, "Bound");
  });
  auto bound = *store_.find(volume_key(volume));
  store_.edit(key_of(claim), [&](json::value& now) {
    if (!now.find("spec")) now.set("spec", json::value::make_object());
    now.find("spec")->set("volumeName", volume);
    now.set("status", bound_status(claim, bound));
  });
}

// The folder of an ordinary claim may exist already, created by its owner. The folder of a claim that is to be filled has to be empty.
fs::path volume_binder::fresh_folder(json::value const& claim) const {
  auto name = std::string(claim.text("metadata.name"));
  auto folder = data_ / "volumes" / std::string(claim.text("metadata.namespace")) / name;
  std::error_code unknown;
  bool occupied = fs::exists(folder, unknown) && !fs::is_empty(folder, unknown);
  if (occupied && is_to_be_filled(claim)) folder += "~" + std::string(uid_of(claim));
  return folder;
}

void volume_binder::make(json::value const& claim) {
  auto folder = fresh_folder(claim);
  files::user_modes modes;  // programs of other users read their volumes
  files::make_folder(folder, 0777);
  if (auto made = store_.create(volume_for(claim, fs::absolute(folder).string())); !made) throw std::runtime_error(made.error().message);
}

void volume_binder::release(json::value const& volume) {
  auto key = key_of(volume);
  auto ns = volume.text("spec.claimRef.namespace"), name = volume.text("spec.claimRef.name"), uid = volume.text("spec.claimRef.uid");
  bool ours = !uid.empty() && key.name == "pvc-" + std::string(uid);
  auto* claim = store_.find(key_to<proto::persistent_volume_claim>(std::string(ns), std::string(name)));
  if (ours && (!claim || uid_of(*claim) != uid)) {
    auto folder = fs::path(host_path(volume).value_or(""));
    auto aside = folder.parent_path() / (std::string(name) + "~" + std::string(uid));
    std::error_code unknown;
    if (folder != aside && fs::exists(folder, unknown)) fs::rename(folder, aside);
    return store_.edit(key, [&](json::value& now) {
      now.find("spec")->set("hostPath", json::object{{"path", aside.string()}});
      set_phase(now, "Released");
    });
  }
  auto holder = annotation(volume, bound_to);
  if (holder.empty()) {
    if (volume.text("status.phase").empty()) store_.edit(key, [](json::value& now) { set_phase(now, "Available"); });
    return;
  }
  for (auto const& each : store_.of_kind(proto::persistent_volume_claim::info.kind))
    if (holder_text(each) == holder) return;
  store_.edit(key, [](json::value& now) {
    now.find("metadata")->find("annotations")->erase(bound_to);
    set_phase(now, "Available");
  });
}

outcome<fs::path> folder_of(object_map const& objects, std::string const& ns, std::string const& claim_name) {
  auto found = objects.find(key_to<proto::persistent_volume_claim>(ns, claim_name));
  if (found == objects.end()) return refuse(answer_code::NotFound, "There is no PersistentVolumeClaim " + ns + "/" + claim_name + ".");
  auto* claim = &found->second;
  std::vector<json::value> volumes;
  for (auto const& [key, one] : objects)
    if (key.kind == proto::persistent_volume::info.kind) volumes.push_back(one);
  auto* volume = volume_of(*claim, volumes);
  auto folder = volume ? host_path(*volume) : std::nullopt;
  if (!folder)
    return refuse(answer_code::Unavailable,
                  "The claim " + ns + "/" + claim_name + " has no volume yet: " + std::string(claim->text("status.message")));
  std::error_code unknown;
  if (!fs::is_directory(*folder, unknown))
    return refuse(answer_code::Unavailable, "The folder " + *folder + " of the volume behind the claim " + ns + "/" + claim_name +
                                                " does not exist: mount it, or correct spec.hostPath.path.");
  return fs::path(*folder);
}

}  // namespace kopiur::gateway::local
