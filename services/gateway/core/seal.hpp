#pragma once
#include <string>
#include <string_view>

#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {

/// Proves that a gateway of this installation, which alone has `secret`, put `text` on the object `key`: hex of HMAC-SHA256 (RFC 2104).
/// Without it, a user who may write Jobs in a namespace could have the gateway copy another namespace's Secrets there, or make it believe a
/// forged mover.
std::string seal_of(std::string_view secret, object_key const& key, std::string_view text);
/// Whether `seal` is the right one. Takes the same time for every wrong one.
bool is_sealed(std::string_view seal, std::string_view secret, object_key const& key, std::string_view text);
/// 32 random bytes.
std::string new_seal_secret();

}  // namespace kopiur::gateway
