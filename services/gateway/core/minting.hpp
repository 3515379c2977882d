#pragma once
#include <map>
#include <optional>
#include <string>

#include "proto/events/command.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/core/refusal.hpp"

/// Secrets that a service has minted: which content they get, and whose they are.
namespace kopiur::gateway {

/// A Secret as it has to be, with the values that only the gateway knows.
struct minted_secret {
  proto::object_ref owner;
  std::string owner_version;  ///< its apiVersion
  std::string name;           ///< in the owner's namespace
  std::map<std::string, std::string> labels, values;
  std::vector<std::string> absent;  ///< keys that it must not have; others that it has are a user's, and stay
};

/// Whether the Secret is controlled by the object of this uid.
bool is_controlled_by(json::value const& secret, std::string_view uid);
/// A new Secret of type Opaque.
json::value manifest_of(minted_secret const& wanted);
/// The merge patch that makes the existing Secret so, for exactly the version that was read; nothing: it is so already. AlreadyExists: it
/// belongs to somebody else. Conflict: it is being deleted.
outcome<std::optional<json::value>> patch_for(json::value const& existing, minted_secret const& wanted);

}  // namespace kopiur::gateway
