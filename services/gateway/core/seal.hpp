#pragma once
#include <string>
#include <string_view>

#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {

/// Proves that `text` was put on the object `key` by a gateway of this installation, which alone has `secret`: hex of HMAC-SHA256 (RFC
/// 2104). Whoever may write Jobs in a namespace could otherwise have us copy another namespace's Secrets there, or believe a mover of their
/// own.
std::string seal_of(std::string_view secret, object_key const& key, std::string_view text);
/// Whether `seal` is that. Takes the same time for every wrong one.
bool is_sealed(std::string_view seal, std::string_view secret, object_key const& key, std::string_view text);
/// 32 random bytes.
std::string new_seal_secret();

}  // namespace kopiur::gateway
