#pragma once
#include <string>
#include <string_view>

#include "common/blob/core/uri.hpp"
#include "common/time/instant.hpp"

/// AWS Signature Version 4, in the Authorization header. Paths are signed as they are sent: encoded once and not normalised, as S3 does.
namespace kopiur::blob::s3 {

struct credentials {
  std::string access_key, secret_key;
  std::string session_token{};  ///< empty: none
};

/// What is signed.
struct signable {
  std::string method = "GET";
  std::string path = "/";  ///< encoded
  parameters query{};
  parameters headers{};        ///< all of them are signed; with Host
  std::string payload_hash{};  ///< hexadecimal, or UNSIGNED-PAYLOAD
};
struct signing_scope {
  instant when;
  std::string region, service = "s3";
};

inline constexpr std::string_view unsigned_payload = "UNSIGNED-PAYLOAD";

/// `20130524T000000Z`.
std::string amz_date(instant when);
std::string canonical_request(signable const& what);
std::string string_to_sign(signing_scope const& scope, std::string_view canonical);
std::string signature(credentials const& who, signing_scope const& scope, std::string_view text);
/// The value of the Authorization header.
std::string authorization(credentials const& who, signing_scope const& scope, signable const& what);

}  // namespace kopiur::blob::s3
