#include "common/hash/stable_hash.hpp"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>
#include <stdexcept>

#include "common/encoding/hex.hpp"

namespace kopiur::hash {

namespace {

std::array<unsigned char, 8> frame_of(std::string_view part) {
  std::array<unsigned char, 8> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(std::uint64_t{part.size()} >> (8 * i));
  return bytes;
}

parts view(std::initializer_list<std::string_view> list) { return {list.begin(), list.size()}; }

}  // namespace

std::uint64_t stable_hash(parts all) {
  std::uint64_t h = 0xcbf29ce484222325;
  auto take = [&](unsigned char byte) { h = (h ^ byte) * 0x100000001b3; };
  for (auto part : all) {
    for (auto byte : frame_of(part)) take(byte);
    for (char c : part) take(static_cast<unsigned char>(c));
  }
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccd;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53;
  return h ^ (h >> 33);
}

std::uint64_t stable_hash(std::initializer_list<std::string_view> list) { return stable_hash(view(list)); }

std::string digest_hex(parts all, std::size_t length) {
  std::string framed;
  for (auto part : all) {
    auto frame = frame_of(part);
    framed.append(frame.begin(), frame.end()).append(part);
  }
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  // Fetched once: OpenSSL 3's SHA256() looks up its algorithm in each call, which costs more than the digest.
  static EVP_MD const* const sha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  if (!EVP_Digest(framed.data(), framed.size(), digest.data(), nullptr, sha256, nullptr))
    throw std::runtime_error("OpenSSL has no SHA-256.");
  return encoding::hex({reinterpret_cast<char const*>(digest.data()), digest.size()}).substr(0, length);
}

std::string digest_hex(std::initializer_list<std::string_view> list, std::size_t length) { return digest_hex(view(list), length); }

}  // namespace kopiur::hash
