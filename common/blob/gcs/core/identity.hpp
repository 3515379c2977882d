#pragma once
#include <expected>
#include <string>
#include <string_view>

#include "common/blob/core/refusal.hpp"

/// Service accounts of Google Cloud, and the requests for their tokens, without I/O.
namespace kopiur::blob::gcs {

/// What `credentials.json` has, the key of a service account.
struct service_account {
  std::string email, key_id;
  std::string key;        ///< private, PEM
  std::string token_uri;  ///< where it says that tokens are; see may_hold_credentials()
};

/// Reads a `credentials.json`. The error is a sentence that names no value.
std::expected<service_account, std::string> read_credentials(std::string_view text);

/// The body of a request for a token.
struct form {
  std::string text;
  std::string assertion;  ///< in it; a secret
};
/// Asks for a token of Cloud Storage by an assertion for one hour, signed with the key (RFC 7523). The error is a sentence.
std::expected<form, std::string> token_form(service_account const& who, instant now);
/// Why the token was refused. `action` begins the sentence.
error token_error(int status, std::string_view body, std::string const& action);
/// Why a metadata server gave none.
error metadata_error(int status, std::string_view body, std::string const& action);

}  // namespace kopiur::blob::gcs
