#pragma once
#include "common/time/instant.hpp"
#include "proto/core/object_ref.hpp"

/// Whose a name on a backend is (`kopiur.v1.claim.<digest of store and name>`): over all clusters and backends of one store, written by
/// compare-and-set.
namespace kopiur::proto {

struct resource_claim {
  std::string store, name;
  std::string cluster;  ///< of the owner
  object_ref owner;
  bool made = false;     ///< the owner's own call made the resource
  bool adopted = false;  ///< the owner got the resource as it was; its stamp may still be on the way
  bool removed = false;  ///< the owner's deletion has removed it: what has that name now is somebody else's
  std::string holder;    ///< the replica that may change the resource now; empty: none
  instant until{};       ///< the end of that
  instant unsettled{};   ///< until then a removal that was sent may still be done: no other object gets the name
};
KOPIUR_DESCRIBE(resource_claim, (), (store, name, cluster, owner, made, adopted, removed, holder, until, unsettled))

}  // namespace kopiur::proto
