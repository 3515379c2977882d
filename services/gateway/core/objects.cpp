#include "services/gateway/core/objects.hpp"

#include <algorithm>
#include <array>
#include <ranges>

#include "common/encoding/base64.hpp"
#include "common/json/members.hpp"
#include "proto/core/kubernetes.hpp"
#include "proto/kopiur/reserved_names.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {

namespace {

constexpr std::string_view last_applied = "kubectl.kubernetes.io/last-applied-configuration";
// The names that the last apply set are stored where Kubernetes keeps field managers. Like those they are never mirrored.
constexpr std::string_view managed = "managedFields";

bool is_content(std::string_view member) {
  return member != "apiVersion" && member != "kind" && member != "metadata" && member != "status";
}

// stringData is write-only in Kubernetes: it becomes data.
void fold_string_data(json::value& object) {
  if (object.text("kind") != proto::secret::info.kind) return;
  auto* plain = object.find("stringData");
  if (!plain) return;
  auto* there = object.find("data");
  json::object_editor data(there ? *there : json::value());
  if (auto* members = plain->as_object())
    for (auto const& [name, content] : *members)
      if (content.as_string()) data.set(name, encoding::base64(*content.as_string()));
  object.erase("stringData");
  object.set("data", std::move(data).done());
}

json::value names_in(json::value const* map) {
  auto names = json::value::make_array();
  if (auto* members = map ? map->as_object() : nullptr)
    for (auto const& [name, content] : *members) names.push(name);
  return names;
}

json::value remember(json::value const& manifest) {
  auto entry = json::value::make_object();
  entry.set("manager", "apply");
  for (auto* map : {"labels", "annotations"})
    entry.set(map, names_in(manifest.find("metadata") ? manifest.find("metadata")->find(map) : nullptr));
  auto entries = json::value::make_array();
  entries.push(std::move(entry));
  return entries;
}

json::value const* remembered(json::value const& metadata, std::string_view map) {
  auto* entries = metadata.find(managed);
  auto* list = entries ? entries->as_array() : nullptr;
  return list && !list->empty() ? list->front().find(map) : nullptr;
}

// Merges labels or annotations: the manifest's members on top of the current ones, without those that the previous apply set and this
// manifest lacks. Reserved names, which only kopiur writes, stay even if an earlier manifest contained them.
void merge_map(json::value& metadata, json::value const& manifest, std::string_view map) {
  auto* there = metadata.find(map);
  json::object_editor edited(there ? *there : json::value());
  auto* wanted_map = manifest.find("metadata") ? manifest.find("metadata")->find(map) : nullptr;
  auto* before = remembered(metadata, map);
  json::object_editor wanted(wanted_map ? *wanted_map : json::value());
  if (auto* names = before ? before->as_array() : nullptr)
    for (auto const& name : *names)
      if (name.as_string() && !wanted.find(*name.as_string()) && !proto::is_reserved(*name.as_string())) edited.erase(*name.as_string());
  for (auto const& [name, content] : *std::move(wanted).done().as_object()) edited.set(name, content);
  auto result = std::move(edited).done();
  if (result.as_object()->empty()) {
    metadata.erase(map);
  } else {
    metadata.set(map, std::move(result));
  }
}

bool set_texts(json::value& metadata, std::string_view map, std::map<std::string, std::string> const& texts) {
  if (texts.empty()) return false;
  auto* there = metadata.find(map);
  json::object_editor edited(there ? *there : json::value());
  for (auto const& [name, text] : texts) edited.set(name, text);
  auto result = std::move(edited).done();
  bool changed = !there || !(result == *there);
  metadata.set(map, std::move(result));
  return changed;
}

bool remove_texts(json::value& metadata, std::string_view map, std::vector<std::string> const& names) {
  auto* there = metadata.find(map);
  if (!there || names.empty()) return false;
  json::object_editor edited(*there);
  bool changed = false;
  for (auto const& name : names) changed |= edited.erase(name);
  auto result = std::move(edited).done();
  if (result.as_object()->empty())
    metadata.erase(map);
  else
    metadata.set(map, std::move(result));
  return changed;
}

bool change_finalizers(json::value& metadata, proto::patch_metadata const& patch) {
  auto* there = metadata.find("finalizers");
  auto before = there && there->as_array() ? *there->as_array() : json::array{};
  auto after = before;
  for (auto const& name : patch.add_finalizers)
    if (std::ranges::find(after, json::value(name)) == after.end()) after.emplace_back(name);
  for (auto const& name : patch.remove_finalizers) std::erase(after, json::value(name));
  if (after == before) return false;
  if (after.empty()) {
    metadata.erase("finalizers");
  } else {
    metadata.set("finalizers", json::value(std::move(after)));
  }
  return true;
}

json::value content_of(json::value const& object) {
  json::object content;
  if (auto* members = object.as_object()) std::ranges::copy_if(*members, std::back_inserter(content), is_content, &json::member::first);
  return content;
}

// Keeps what the system wrote into a user's spec and a manifest does not contain.
void keep_binding(json::value const& current, json::value& content) {
  if (current.text("kind") != proto::persistent_volume_claim::info.kind) return;
  auto volume = current.text("spec.volumeName");
  auto* spec = content.find("spec");
  if (!volume.empty() && spec && !spec->find("volumeName")) spec->set("volumeName", volume);
}

json::value admitted(json::value manifest) {
  fold_string_data(manifest);
  manifest.erase("status");
  return manifest;
}

}  // namespace

std::string drop_reserved(json::value& manifest) {
  std::string dropped;
  auto* metadata = manifest.find("metadata");
  for (auto* map : {"annotations", "labels"}) {
    auto* found = metadata ? metadata->find(map) : nullptr;
    auto* members = found ? found->as_object() : nullptr;
    if (!members) continue;
    for (auto& [name, _] : *members)
      if (proto::is_reserved(name)) dropped += (dropped.empty() ? "" : ", ") + name;
    std::erase_if(*members, [](json::member const& one) { return proto::is_reserved(one.first); });
  }
  if (dropped.empty()) return dropped;
  return key_of(manifest).text() + " is applied without " + dropped + ": only kopiur writes these names. Take them out of the manifest.";
}

json::value created(json::value manifest, std::string uid, instant now) {
  manifest = admitted(std::move(manifest));
  auto entries = remember(manifest);
  if (!manifest.find("metadata")) manifest.set("metadata", json::value::make_object());
  auto& metadata = *manifest.find("metadata");
  for (auto* theirs : {"resourceVersion", "deletionTimestamp", "selfLink"}) metadata.erase(theirs);
  metadata.set("uid", std::move(uid));
  metadata.set("generation", 1);
  metadata.set("creationTimestamp", to_text(std::chrono::floor<std::chrono::seconds>(now)));
  metadata.set(managed, std::move(entries));
  return manifest;
}

bool proves(json::value const& existing, json::value const& wanted) {
  auto same = [](std::string_view a, std::string_view b) { return !a.empty() && a == b; };
  auto run = ours("run"), request = ours("request");
  auto run_of = [&](json::value const& object) {
    auto noted = annotation(object, run);
    return noted.empty() ? label(object, run) : noted;
  };
  return same(run_of(existing), run_of(wanted)) || same(annotation(existing, request), annotation(wanted, request));
}

refusal made_by_another(object_key const& key) {
  return {proto::answer_code::AlreadyExists,
          key.text() +
              " exists already, and was not made by this run. Delete it if nobody needs it; otherwise start the run under another name."};
}

std::optional<json::value> applied(json::value const& current, json::value const& raw) {
  auto manifest = admitted(raw);
  auto content = content_of(manifest);
  keep_binding(current, content);
  auto next = json::value::make_object();
  for (auto* head : {"apiVersion", "kind"}) next.set(head, manifest.text(head));
  auto metadata = *current.find("metadata");
  for (auto* map : {"labels", "annotations"}) merge_map(metadata, manifest, map);
  metadata.set(managed, remember(manifest));
  if (!(content == content_of(current))) metadata.set("generation", generation_of(current) + 1);
  next.set("metadata", std::move(metadata));
  std::ranges::move(*content.as_object(), std::back_inserter(*next.as_object()));
  if (auto* status = current.find("status")) next.set("status", *status);
  if (next == current) return std::nullopt;
  return next;
}

std::optional<json::value> patched(json::value const& current, proto::patch_metadata const& patch) {
  auto next = current;
  auto& metadata = *next.find("metadata");
  bool changed = change_finalizers(metadata, patch);
  changed |= set_texts(metadata, "labels", patch.labels);
  changed |= set_texts(metadata, "annotations", patch.annotations);
  changed |= remove_texts(metadata, "annotations", patch.remove_annotations);
  if (!changed) return std::nullopt;
  return next;
}

std::optional<json::value> marked_for_deletion(json::value const& current, std::map<std::string, std::string> const& annotations,
                                               instant now) {
  auto next = current;
  auto& metadata = *next.find("metadata");
  bool changed = set_texts(metadata, "annotations", annotations);
  if (!is_terminating(current)) {
    metadata.set("deletionTimestamp", to_text(std::chrono::floor<std::chrono::seconds>(now)));
    changed = true;
  }
  if (!changed) return std::nullopt;
  return next;
}

bool may_go(json::value const& object) {
  auto* finalizers = object.at("metadata.finalizers");
  return is_terminating(object) && !(finalizers && finalizers->as_array() && !finalizers->as_array()->empty());
}

std::optional<refusal> outdated(json::value const* there, json::value const& read) {
  auto name = key_of(read).text();
  if (!there || uid_of(*there) != uid_of(read))
    return refusal{proto::answer_code::NotFound, "There is no " + name + " of that uid any more."};
  if (version_of(*there) != version_of(read))
    return refusal{proto::answer_code::Conflict, name + " was changed since it was read; read it again."};
  return std::nullopt;
}

std::optional<json::value> with_status(json::value const& current, json::value status) {
  if (auto* there = current.find("status"); there && *there == status) return std::nullopt;
  auto next = current;
  next.set("status", std::move(status));
  return next;
}

json::value mirror_form(json::value const& object) {
  if (object.text("kind") == proto::secret::info.kind) {
    auto metadata = json::value::make_object();
    for (auto* known : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"})
      if (auto text = object.at(std::string("metadata.") + known)) metadata.set(known, *text);
    auto reduced = json::value::make_object();
    reduced.set("apiVersion", object.text("apiVersion"));
    reduced.set("kind", proto::secret::info.kind);
    reduced.set("metadata", std::move(metadata));
    return reduced;
  }
  auto form = object;
  auto* metadata = form.find("metadata");
  if (!metadata) return form;
  metadata->erase(managed);
  auto* annotations = metadata->find("annotations");
  if (annotations && annotations->erase(last_applied) && annotations->as_object() && annotations->as_object()->empty())
    metadata->erase("annotations");
  return form;
}

}  // namespace kopiur::gateway
