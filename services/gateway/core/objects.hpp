#pragma once
#include <optional>
#include <string>

#include "common/json/value.hpp"
#include "common/time/instant.hpp"
#include "proto/events/command.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/core/refusal.hpp"

/// What creating, applying, patching and deleting do to an object: the rules of the Kubernetes API, as far as kopiur needs them, as pure
/// functions. The caller that stores the result sets `metadata.resourceVersion`.
namespace kopiur::gateway {

/// Removes from a user's manifest the annotations and labels that only kopiur writes; the output of `kubectl get -o yaml` contains them.
/// Returns a sentence about them; empty: there were none.
std::string drop_reserved(json::value& manifest);

/// A new object from a manifest: uid, generation 1, creation time; without status, and with Secrets' `stringData` as `data`.
json::value created(json::value manifest, std::string uid, instant now);

/// Whether `existing` is what creating `wanted` would have produced: both have the same run (`G/run` as annotation or label) or the same
/// request (`G/request`).
bool proves(json::value const& existing, json::value const& wanted);
/// The refusal when it is not.
refusal made_by_another(object_key const& key);

/// `current` with the manifest applied, or nothing when nothing changes. Content (all but apiVersion, kind, metadata, status) comes from
/// the manifest. Labels and annotations are merged; those that the previous apply set and this one lacks are removed. Status, finalizers
/// and uid stay. The generation grows only when the content changed. A claim keeps the volume that it is bound to.
std::optional<json::value> applied(json::value const& current, json::value const& manifest);

/// `current` with metadata patched, or nothing when nothing changes.
std::optional<json::value> patched(json::value const& current, proto::patch_metadata const& patch);

/// `current` marked for deletion, with `annotations` added, or nothing when nothing changes.
std::optional<json::value> marked_for_deletion(json::value const& current, std::map<std::string, std::string> const& annotations,
                                               instant now);

/// True when the object can be removed: it is marked for deletion and has no finalizers.
bool may_go(json::value const& object);

/// Why a write based on `read` must be refused. NotFound: the object no longer exists, or was recreated. Conflict: its resourceVersion
/// changed. Nothing when the write may proceed. `there` is the current object, null when it does not exist.
std::optional<refusal> outdated(json::value const* there, json::value const& read);

/// `current` with another status, or nothing when the status is equal.
std::optional<json::value> with_status(json::value const& current, json::value status);

/// The form in which an object is published: without managedFields and last-applied. A Secret keeps only apiVersion, kind, name, namespace,
/// uid, resourceVersion and creationTimestamp.
json::value mirror_form(json::value const& object);

}  // namespace kopiur::gateway
