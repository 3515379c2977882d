#pragma once
#include <expected>
#include <string>
#include <string_view>

#include "common/blob/core/refusal.hpp"

/// Answers of services that give tokens (OAuth 2.0, RFC 6749).
namespace kopiur::blob {

struct access_token {
  std::string text;
  duration lifetime{0};  ///< from now; 0: the answer does not say
};
/// The token in an answer with status 200. The error is a clause.
std::expected<access_token, std::string> read_access_token(std::string_view text);
/// Why the token was refused. `action` begins the sentence.
error token_error(int status, std::string_view body, std::string const& action, dialect const& spoken);

}  // namespace kopiur::blob
