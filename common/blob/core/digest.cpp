#include "common/blob/core/digest.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <stdexcept>

namespace kopiur::blob {

namespace {

void must(bool done) {
  if (!done) throw std::runtime_error("OpenSSL refuses a digest that object stores need.");
}

std::string text(std::array<unsigned char, EVP_MAX_MD_SIZE> const& bytes, unsigned length) {
  return {reinterpret_cast<char const*>(bytes.data()), length};
}

std::string digest(std::string_view bytes, EVP_MD const* algorithm) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned length = 0;
  must(::EVP_Digest(bytes.data(), bytes.size(), out.data(), &length, algorithm, nullptr) == 1);
  return text(out, length);
}

}  // namespace

std::string sha256(std::string_view bytes) { return digest(bytes, ::EVP_sha256()); }
std::string md5(std::string_view bytes) { return digest(bytes, ::EVP_md5()); }

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned length = 0;
  auto* data = reinterpret_cast<unsigned char const*>(bytes.data());
  must(::HMAC(::EVP_sha256(), key.data(), static_cast<int>(key.size()), data, bytes.size(), out.data(), &length) != nullptr);
  return text(out, length);
}

struct digest_stream::inside {
  std::unique_ptr<EVP_MD_CTX, decltype(&::EVP_MD_CTX_free)> context{::EVP_MD_CTX_new(), &::EVP_MD_CTX_free};
};

digest_stream::digest_stream(algorithm which) : in_(std::make_unique<inside>()) {
  auto* chosen = which == algorithm::md5 ? ::EVP_md5() : ::EVP_sha256();
  must(in_->context && ::EVP_DigestInit_ex(in_->context.get(), chosen, nullptr) == 1);
}
digest_stream::~digest_stream() = default;

void digest_stream::add(std::string_view bytes) { must(::EVP_DigestUpdate(in_->context.get(), bytes.data(), bytes.size()) == 1); }

std::string digest_stream::end() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned length = 0;
  must(::EVP_DigestFinal_ex(in_->context.get(), out.data(), &length) == 1);
  return text(out, length);
}

}  // namespace kopiur::blob
