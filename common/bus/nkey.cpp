#include "common/bus/nkey.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <array>
#include <memory>
#include <stdexcept>

#include "common/encoding/base32.hpp"

namespace kopiur::bus {

namespace {

constexpr std::size_t key_size = 32;
// The first five bits of a text are its first letter: U for a user, S for a seed, which names its kind after that.
constexpr unsigned user_prefix = 20 << 3, seed_prefix = 18 << 3;

/// Base32 of the bytes and their check sum, the lower byte first.
std::string checked_text(std::string bytes) {
  auto sum = crc16(bytes);
  bytes += static_cast<char>(sum & 0xff);
  bytes += static_cast<char>(sum >> 8);
  auto text = encoding::base32(bytes);
  OPENSSL_cleanse(bytes.data(), bytes.size());
  return text;
}

std::string public_key_of(std::string_view private_key) {
  auto* raw = reinterpret_cast<unsigned char const*>(private_key.data());
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, raw, private_key.size()),
                                                          &EVP_PKEY_free);
  std::string made(key_size, '\0');
  auto size = made.size();
  if (!key || EVP_PKEY_get_raw_public_key(key.get(), reinterpret_cast<unsigned char*>(made.data()), &size) != 1 || size != key_size)
    throw std::runtime_error("These bytes are not a private key of ed25519, so a login for the bus cannot be made.");
  return made;
}

}  // namespace

nkey make_user_nkey() {
  std::array<char, key_size> raw{};
  if (RAND_priv_bytes(reinterpret_cast<unsigned char*>(raw.data()), key_size) != 1)
    throw std::runtime_error("The system gives no random bytes, so no login can be made for the bus.");
  auto made = user_nkey({raw.data(), raw.size()});
  OPENSSL_cleanse(raw.data(), raw.size());
  return made;
}

nkey user_nkey(std::string_view private_key) {
  std::string name(1, static_cast<char>(user_prefix)), seed;
  name += public_key_of(private_key);
  seed.reserve(key_size + 4);  // growing would leave a copy of the key behind
  seed += static_cast<char>(seed_prefix | user_prefix >> 5);
  seed += static_cast<char>((user_prefix & 31) << 3);
  seed += private_key;
  return {.name = checked_text(std::move(name)), .seed = checked_text(std::move(seed))};
}

std::uint16_t crc16(std::string_view bytes) {
  unsigned sum = 0;
  for (char c : bytes) {
    sum ^= static_cast<unsigned>(static_cast<unsigned char>(c)) << 8;
    for (int bit = 0; bit < 8; ++bit) sum = sum & 0x8000 ? sum << 1 ^ 0x1021 : sum << 1;
    sum &= 0xffff;
  }
  return static_cast<std::uint16_t>(sum);
}

}  // namespace kopiur::bus
