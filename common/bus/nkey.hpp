#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace kopiur::bus {

/// A user of a bus: an ed25519 key pair in NATS's text form. The server knows the name; a client proves that it has the seed by a signature
/// of the server's nonce, so the seed is never sent.
struct nkey {
  std::string name;  ///< the public key: `U...`
  std::string seed;  ///< the private key: `SU...`
};

/// A new random key. Throws std::runtime_error when the system gives no random bytes.
nkey make_user_nkey();
/// The text form of a private key of 32 bytes. Throws std::runtime_error when it is none.
nkey user_nkey(std::string_view private_key);

/// CRC-16/XMODEM, the check sum in the text form.
std::uint16_t crc16(std::string_view bytes);

}  // namespace kopiur::bus
