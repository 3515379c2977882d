#include "services/gateway/core/seal.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <array>
#include <stdexcept>

#include "common/encoding/hex.hpp"

namespace kopiur::gateway {

std::string seal_of(std::string_view secret, object_key const& key, std::string_view text) {
  // Namespaces and names contain no line break, so the fields cannot be confused.
  auto said = key.kind + "\n" + key.namespace_ + "\n" + key.name + "\n" + std::string(text);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned length = 0;
  if (secret.empty() || !::HMAC(::EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
                                reinterpret_cast<unsigned char const*>(said.data()), said.size(), digest.data(), &length))
    throw std::runtime_error("Nothing can be sealed: there is no secret, or OpenSSL has no SHA-256.");
  return encoding::hex({reinterpret_cast<char const*>(digest.data()), length});
}

bool is_sealed(std::string_view seal, std::string_view secret, object_key const& key, std::string_view text) {
  auto right = seal_of(secret, key, text);
  return seal.size() == right.size() && ::CRYPTO_memcmp(seal.data(), right.data(), right.size()) == 0;
}

std::string new_seal_secret() {
  std::string bytes(32, '\0');
  if (::RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(bytes.size())) != 1)
    throw std::runtime_error("OpenSSL has no random bytes.");
  return bytes;
}

}  // namespace kopiur::gateway
