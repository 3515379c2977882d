#pragma once
#include "proto/events/command.hpp"
#include "services/gateway/core/minting.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/kubernetes/objects/api.hpp"

namespace kopiur::gateway::kubernetes {

/// A merge patch (RFC 7386) of the changed finalizers, labels and annotations, for the object of that uid and version. It contains nothing
/// else: `from` may lack fields that only others read.
json::value metadata_patch(json::value const& from, json::value const& after);

/// Single objects of the cluster, for the port `cluster.hpp` (contracts: proto/events/command.hpp). Each call returns the resulting object;
/// null when it no longer exists. A write without an answer is checked by a live read; what remains unknown is Ambiguous.
class objects {
 public:
  explicit objects(client& api) : api_(api) {}

  awaitable<outcome<json::value>> read(proto::object_ref object);
  awaitable<outcome<json::value>> create(json::value manifest);
  awaitable<outcome<json::value>> apply(json::value manifest);
  /// `known`: the object as last watched; it may be outdated, and saves a read when it is not.
  awaitable<outcome<json::value>> patch(proto::patch_metadata patch, std::optional<json::value> known = {});
  /// Merges `patch` (RFC 7386) into the object, once: Conflict when it names a version that is no longer current.
  awaitable<outcome<json::value>> merge(object_key const& key, json::value patch);
  awaitable<outcome<json::value>> remove(proto::delete_object command);
  awaitable<outcome<json::value>> write_status(json::value read, json::value status);
  awaitable<outcome<json::value>> mint(minted_secret wanted);
  awaitable<outcome<json::value>> drop(proto::drop_secret command);

 private:
  struct address;
  static outcome<address> address_of(outcome<object_key> key);
  awaitable<outcome<json::value>> read(address address);
  awaitable<outcome<json::value>> patch_once(address address, json::value const& there, proto::patch_metadata const& patch);

  client& api_;
};

}  // namespace kopiur::gateway::kubernetes
