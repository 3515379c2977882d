#pragma once
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {

/// The value of a Secret's key, or of a ConfigMap's. NotFound where it has none, Invalid where a Secret's is not base64; both in words.
outcome<std::string> value_in(json::value const& object, std::string const& key);

}  // namespace kopiur::gateway
