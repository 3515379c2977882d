#pragma once
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {

/// The value of a key of a Secret or ConfigMap. NotFound when the key is missing, Invalid when a Secret's value is not base64; with a
/// sentence.
outcome<std::string> value_in(json::value const& object, std::string const& key);

}  // namespace kopiur::gateway
