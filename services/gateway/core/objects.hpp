#pragma once
#include <optional>
#include <string>

#include "common/json/value.hpp"
#include "common/time/instant.hpp"
#include "proto/events/command.hpp"
#include "services/gateway/core/refusal.hpp"

/// What becomes of an object when it is created, applied, patched, deleted: the rules of the Kubernetes API as far as we need them, as
/// functions of values. Whoever stores the result stamps `metadata.resourceVersion`.
namespace kopiur::gateway {

/// Takes out of a user's manifest the annotations and labels that only kopiur writes: they come along with what `kubectl get -o yaml`
/// prints. Returns a sentence about them; empty: there were none.
std::string drop_reserved(json::value& manifest);

/// A new object from a manifest: uid, generation 1, creation time; without status, and with Secrets' `stringData` as `data`.
json::value created(json::value manifest, std::string uid, instant now);

/// Whether `existing` is what a create of `wanted` would have made: both carry the same run (`G/run` as annotation or label) or the same
/// request (`G/request`).
bool proves(json::value const& existing, json::value const& wanted);

/// `current` with the manifest applied, or nothing when that changes nothing. Content (all but apiVersion, kind, metadata, status) is the
/// manifest's; labels and annotations are merged, and those that the last apply set and this one lacks go. Status, finalizers and uid stay;
/// generation grows only when the content changed. A claim keeps the volume that it is bound to.
std::optional<json::value> applied(json::value const& current, json::value const& manifest);

/// `current` with metadata patched, or nothing when that changes nothing.
std::optional<json::value> patched(json::value const& current, proto::patch_metadata const& patch);

/// `current` marked for deletion and stamped with `annotations`, or nothing when that changes nothing.
std::optional<json::value> marked_for_deletion(json::value const& current, std::map<std::string, std::string> const& annotations,
                                               instant now);

/// True when nothing holds the object any more: it is marked for deletion and has no finalizers.
bool may_go(json::value const& object);

/// Why a write that was made from `read` must not be done: the object is gone or another one by now (NotFound), or it was changed since
/// (Conflict: another resourceVersion). Nothing when it may. `there` is the object as it is, null when it is gone.
std::optional<refusal> outdated(json::value const* there, json::value const& read);

/// `current` with another status, or nothing when it has that.
std::optional<json::value> with_status(json::value const& current, json::value status);

/// How an object travels: without managedFields and last-applied; of a Secret apiVersion, kind, name, namespace, uid, resourceVersion and
/// the instant of its creation alone.
json::value mirror_form(json::value const& object);

}  // namespace kopiur::gateway
