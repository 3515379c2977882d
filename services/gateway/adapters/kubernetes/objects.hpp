#pragma once
#include "proto/events/command.hpp"
#include "services/gateway/adapters/kubernetes/client.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway::kubernetes {

/// What was changed of finalizers, labels and annotations, to be merged (RFC 7386) into the object of that uid and version. No more: `from`
/// may be without what only others read.
json::value metadata_patch(json::value const& from, json::value const& to);

/// Single objects of the cluster, as the port `cluster.hpp` asks for them (contracts: proto/events/command.hpp). Each returns the object as
/// it is afterwards; null when it is gone. A write without an answer is looked after by a live read: what cannot be told stays Ambiguous.
class objects {
 public:
  explicit objects(client& api) : api_(api) {}

  awaitable<outcome<json::value>> read(proto::object_ref object);
  awaitable<outcome<json::value>> create(json::value manifest);
  awaitable<outcome<json::value>> apply(json::value manifest);
  /// `known`: the object as it was last told; it may be behind, and spares a read where it is not.
  awaitable<outcome<json::value>> patch(proto::patch_metadata patch, std::optional<json::value> known = {});
  /// Merges `patch` (RFC 7386) into the object, once: a Conflict where it names a version that is no longer the object's.
  awaitable<outcome<json::value>> merge(object_key const& key, json::value patch);
  awaitable<outcome<json::value>> remove(proto::delete_object command);
  awaitable<outcome<json::value>> write_status(json::value read, json::value status);

 private:
  struct place;
  static outcome<place> place_of(outcome<object_key> key);
  awaitable<outcome<json::value>> read(place at);
  awaitable<outcome<json::value>> patch_once(place at, json::value const& there, proto::patch_metadata const& patch);

  client& api_;
};

}  // namespace kopiur::gateway::kubernetes
