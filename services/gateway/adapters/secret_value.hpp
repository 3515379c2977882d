#pragma once
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {

/// The value of a Secret's key. NotFound where it has none, Invalid where that is no base64; both in words.
outcome<std::string> value_in(json::value const& secret, std::string const& key);

}  // namespace kopiur::gateway
