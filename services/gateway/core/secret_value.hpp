#pragma once
#include "proto/events/command.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {

/// The Secret or ConfigMap that `use` names, in the command's namespace by default.
object_key key_of(proto::secret_use const& use, std::string const& command_namespace);
/// The value of a key of a Secret or ConfigMap. NotFound when the key is missing, Invalid when a Secret's value is not base64; with a
/// sentence.
outcome<std::string> value_in(json::value const& object, std::string const& key);

}  // namespace kopiur::gateway
