#include "services/gateway/kubernetes/objects/objects.hpp"

#include "common/json/members.hpp"
#include "services/gateway/core/finalizers.hpp"
#include "services/gateway/core/objects.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"
#include "services/gateway/kubernetes/objects/refusals.hpp"

namespace kopiur::gateway::kubernetes {

using proto::answer_code;

namespace {

constexpr char const* manager = "kopiur";
/// Tries of a change that conflicts with another client's change: it is repeated from the newer object.
constexpr int tries = 5;

/// Whether another write may have come first: then it is decided again from the newer object.
bool is_overtaken(answer_code code) {
  return code == answer_code::Conflict || code == answer_code::AlreadyExists || code == answer_code::Ambiguous;
}

json::value preconditions(std::string_view uid) { return json::object{{"preconditions", json::object{{"uid", json::value(uid)}}}}; }

/// The entries of `to` that are missing or different in `from`; null for each that `to` lacks.
json::value changed(json::value const* from, json::value const* after) {
  json::object_editor changes(after ? *after : json::value());
  if (auto* before = from ? from->as_object() : nullptr)
    for (auto& [name, text] : *before) {
      auto* now = changes.find(name);
      if (!now) changes.set(name, nullptr);
      if (now && *now == text) changes.erase(name);
    }
  return std::move(changes).done();
}

}  // namespace

json::value metadata_patch(json::value const& from, json::value const& after) {
  auto metadata = json::value::make_object();
  metadata.set("uid", uid_of(from)), metadata.set("resourceVersion", version_of(from));
  auto *before = from.find("metadata"), *now = after.find("metadata");
  auto *held = before->find("finalizers"), *holds = now->find("finalizers");
  if (!held != !holds || (held && *held != *holds)) metadata.set("finalizers", holds ? *holds : json::value(nullptr));
  for (auto* member : {"labels", "annotations"})
    if (auto changes = changed(before->find(member), now->find(member)); !changes.as_object()->empty()) metadata.set(member, changes);
  auto patch = json::value::make_object();
  patch.set("metadata", std::move(metadata));
  return patch;
}

struct objects::address {
  object_key key;
  kubernetes::resource const* resource = nullptr;
  std::string path() const { return path_of(*resource, key); }
};

outcome<objects::address> objects::address_of(outcome<object_key> key) {
  if (!key) return std::unexpected(key.error());
  auto* resource = resource_of(key->kind);
  if (!resource) return refuse(answer_code::Invalid, "The gateway does not know the kind " + key->kind + " in a cluster.");
  return address{std::move(*key), resource};
}

awaitable<outcome<json::value>> objects::read(address address) {
  auto answer = co_await api_.ask({.path = address.path()});
  if (!answer && answer.error().code == failure::not_found)
    co_return refuse(answer_code::NotFound, "There is no " + address.key.text() + ".");
  if (!answer) co_return refused(answer.error());
  co_return std::move(*answer);
}

awaitable<outcome<json::value>> objects::read(proto::object_ref object) {
  auto address = address_of(admit_key(object));
  if (!address) co_return std::unexpected(address.error());
  auto there = co_await read(*address);
  if (there && !object.uid.empty() && uid_of(*there) != object.uid)
    co_return refuse(answer_code::NotFound, "There is no " + address->key.text() + " of that uid any more.");
  co_return there;
}

awaitable<outcome<json::value>> objects::create(json::value manifest) {
  auto address = address_of(admit_key(manifest));
  if (!address) co_return std::unexpected(address.error());
  if (!address->key.namespace_.empty()) manifest.find("metadata")->set("namespace", address->key.namespace_);
  auto answer = co_await api_.ask({.method = "POST",
                                   .path = path_of(*address->resource, address->key.namespace_),
                                   .query = {{"fieldManager", manager}},
                                   .body = manifest});
  if (answer) co_return std::move(*answer);
  auto code = answer.error().code;
  if (code != failure::already_exists && code != failure::ambiguous) co_return refused(answer.error());
  auto there = co_await read(*address);
  if (there && proves(*there, manifest)) co_return there;
  if (there) co_return std::unexpected(made_by_another(address->key));
  co_return refused(answer.error());
}

/// Like `kubectl apply --server-side --force-conflicts`: fields that the manifest lacks stay with their owner.
awaitable<outcome<json::value>> objects::apply(json::value manifest) {
  auto address = address_of(admit_key(manifest));
  if (!address) co_return std::unexpected(address.error());
  auto* metadata = manifest.find("metadata");
  if (!address->key.namespace_.empty()) metadata->set("namespace", address->key.namespace_);
  for (auto* theirs : {"finalizers", "uid", "resourceVersion", "managedFields", "creationTimestamp", "generation"}) metadata->erase(theirs);
  manifest.erase("status");
  auto answer = co_await api_.ask({.method = "PATCH",
                                   .path = address->path(),
                                   .query = {{"fieldManager", manager}, {"force", "true"}},
                                   .body = std::move(manifest),
                                   .content_type = "application/apply-patch+yaml"});
  if (!answer) co_return refused(answer.error());
  co_return std::move(*answer);
}

awaitable<outcome<json::value>> objects::merge(object_key const& key, json::value patch) {
  auto answer = co_await api_.ask({.method = "PATCH",
                                   .path = path_of(*resource_of(key.kind), key),
                                   .query = {{"fieldManager", manager}},
                                   .body = std::move(patch),
                                   .content_type = "application/merge-patch+json"});
  if (!answer) co_return refused(answer.error());
  co_return std::move(*answer);
}

awaitable<outcome<json::value>> objects::patch_once(address address, json::value const& there, proto::patch_metadata const& patch) {
  if (auto why = refused_finalizer(there, patch)) co_return std::unexpected(std::move(*why));
  auto next = patched(there, patch);
  if (!next) co_return there;
  auto answer = co_await merge(address.key, metadata_patch(there, *next));
  if (answer && may_go(*answer)) co_return json::value();  // its last finalizer was removed, and so the object
  co_return answer;
}

awaitable<outcome<json::value>> objects::patch(proto::patch_metadata patch, std::optional<json::value> known) {
  auto address = address_of(admit_key(patch.object));
  if (!address) co_return std::unexpected(address.error());
  // Only for a write, which names the version: an outdated copy is refused. That nothing is to be done is decided by a live read only.
  bool may_write = known && uid_of(*known) == patch.object.uid && !refused_finalizer(*known, patch) && patched(*known, patch);
  if (may_write)
    if (auto done = co_await patch_once(*address, *known, patch)) co_return done;
  for (int left = tries;;) {
    auto there = co_await read(patch.object);
    if (!there) co_return there;
    auto done = co_await patch_once(*address, *there, patch);
    bool again = !done && (done.error().code == answer_code::Conflict || done.error().code == answer_code::Ambiguous);
    if (!again || --left == 0) co_return done;  // again from the current object: a change that was already made is no change then
  }
}

awaitable<outcome<json::value>> objects::remove(proto::delete_object command) {
  auto address = address_of(admit_key(command.object));
  if (!address) co_return std::unexpected(address.error());
  auto there = co_await read(command.object);
  if (there && !command.annotations.empty()) {
    auto object = command.object;
    object.uid = uid_of(*there);
    there = co_await patch({.object = std::move(object), .annotations = command.annotations});
  }
  if (!there && there.error().code == answer_code::NotFound) co_return json::value();
  if (!there || there->is_null()) co_return there;
  if (is_terminating(*there)) co_return there;
  auto answer = co_await api_.ask({.method = "DELETE", .path = address->path(), .body = preconditions(uid_of(*there))});
  if (!answer && answer.error().code != failure::not_found && answer.error().code != failure::ambiguous) co_return refused(answer.error());
  auto uid = uid_of(*there);
  auto now = co_await read(*address);
  if (now && uid_of(*now) == uid) {
    if (is_terminating(*now)) co_return now;
    co_return answer ? now : refused(answer.error());
  }
  if (!now && now.error().code != answer_code::NotFound) co_return now;
  co_return json::value();
}

awaitable<outcome<json::value>> objects::write_status(json::value read_at, json::value status) {
  auto address = address_of(admit_key(read_at));
  if (!address) co_return std::unexpected(address.error());
  auto next = with_status(read_at, std::move(status));
  if (!next) co_return read_at;
  auto answer = co_await api_.ask(
      {.method = "PUT", .path = path_of(*address->resource, address->key, "status"), .query = {{"fieldManager", manager}}, .body = *next});
  if (answer) co_return std::move(*answer);
  if (answer.error().code != failure::conflict && answer.error().code != failure::ambiguous) co_return refused(answer.error());
  auto there = co_await read(*address);
  if (!there && there.error().code != answer_code::NotFound) co_return there;
  if (auto why = outdated(there ? &*there : nullptr, read_at)) {
    auto* now = there ? there->find("status") : nullptr;
    bool ours = now && uid_of(*there) == uid_of(read_at) && *now == *next->find("status");
    if (ours) co_return there;  // it was done, and only its answer was lost
    co_return std::unexpected(std::move(*why));
  }
  co_return refused(answer.error());
}

awaitable<outcome<json::value>> objects::mint(minted_secret wanted) {
  auto key = key_to<proto::secret>(wanted.owner.namespace_, wanted.name);
  for (int left = tries;;) {
    auto there = co_await read({key.kind, key.namespace_, key.name, ""});
    if (!there && there.error().code != answer_code::NotFound) co_return there;
    outcome<json::value> done;
    if (there) {
      auto patch = patch_for(*there, wanted);
      if (!patch) co_return std::unexpected(patch.error());
      if (!*patch) co_return there;
      done = co_await merge(key, std::move(**patch));
    } else {
      done = co_await create(manifest_of(wanted));
    }
    bool vanished = !done && there && done.error().code == answer_code::NotFound;
    if (done || --left == 0 || !(vanished || is_overtaken(done.error().code))) co_return done;
  }
}

awaitable<outcome<json::value>> objects::drop(proto::drop_secret command) {
  auto there = co_await read(proto::ref_to<proto::secret>(command.owner.namespace_, command.name));
  if (!there && there.error().code != answer_code::NotFound) co_return there;
  if (!there || !is_controlled_by(*there, command.owner.uid)) co_return json::value();
  co_return co_await remove({.object = ref_of(*there), .annotations = {}});
}

}  // namespace kopiur::gateway::kubernetes
