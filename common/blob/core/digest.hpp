#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

/// Digests by OpenSSL, as bytes. They throw std::runtime_error when OpenSSL has no such algorithm.
namespace kopiur::blob {

std::string sha256(std::string_view bytes);
std::string hmac_sha256(std::string_view key, std::string_view bytes);
std::string md5(std::string_view bytes);

/// A digest of pieces.
class digest_stream {
 public:
  enum class algorithm { sha256, md5 };
  explicit digest_stream(algorithm which);
  ~digest_stream();
  void add(std::string_view bytes);
  /// Once, at the end.
  std::string end();

 private:
  struct inside;
  std::unique_ptr<inside> in_;
};

}  // namespace kopiur::blob
