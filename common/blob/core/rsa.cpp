#include "common/blob/core/rsa.hpp"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <memory>

namespace kopiur::blob {

namespace {

using key_pointer = std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)>;

/// Without it OpenSSL asks the terminal for the password of an encrypted key.
int no_password(char*, int, int, void*) { return -1; }

key_pointer read_key(std::string const& pem) {
  std::unique_ptr<BIO, decltype(&::BIO_free)> text(::BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &::BIO_free);
  return {text ? ::PEM_read_bio_PrivateKey(text.get(), nullptr, &no_password, nullptr) : nullptr, &::EVP_PKEY_free};
}

std::optional<std::string> sign(EVP_PKEY* key, std::string_view text) {
  std::unique_ptr<EVP_MD_CTX, decltype(&::EVP_MD_CTX_free)> context(::EVP_MD_CTX_new(), &::EVP_MD_CTX_free);
  auto* bytes = reinterpret_cast<unsigned char const*>(text.data());
  std::size_t length = 0;
  if (!context || ::EVP_DigestSignInit(context.get(), nullptr, ::EVP_sha256(), nullptr, key) != 1 ||
      ::EVP_DigestSign(context.get(), nullptr, &length, bytes, text.size()) != 1)
    return std::nullopt;
  std::string signature(length, 0);
  if (::EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &length, bytes, text.size()) != 1)
    return std::nullopt;
  signature.resize(length);
  return signature;
}

}  // namespace

std::optional<std::string> rs256(std::string const& key, std::string_view text) {
  auto read = read_key(key);
  auto signature = read && ::EVP_PKEY_base_id(read.get()) == EVP_PKEY_RSA ? sign(read.get(), text) : std::nullopt;
  ::ERR_clear_error();  // what failed here is not the failure of a TLS connection
  return signature;
}

}  // namespace kopiur::blob
