#include "common/blob/s3/core/signature.hpp"

#include <map>

#include "common/blob/core/digest.hpp"
#include "common/encoding/hex.hpp"
#include "common/encoding/join.hpp"
#include "common/encoding/text.hpp"

namespace kopiur::blob::s3 {

namespace {

/// Without blanks at the ends, and with one space for each run of spaces.
std::string trimmed(std::string_view value) {
  std::string out;
  for (char c : value)
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

/// By name in lower case; the values of one name joined by commas.
std::map<std::string, std::string> canonical_headers(parameters const& headers) {
  std::map<std::string, std::string> all;
  for (auto& [name, value] : headers) {
    auto [where, is_new] = all.try_emplace(encoding::lower_case(name), trimmed(value));
    if (!is_new) where->second += "," + trimmed(value);
  }
  return all;
}

std::string signed_names(std::map<std::string, std::string> const& headers) {
  return encoding::join(headers, ";", [](auto const& each) { return each.first; });
}

std::string day_of(signing_scope const& scope) { return amz_date(scope.when).substr(0, 8); }
std::string text_of(signing_scope const& scope) { return day_of(scope) + "/" + scope.region + "/" + scope.service + "/aws4_request"; }

}  // namespace

std::string amz_date(instant when) {
  auto text = to_text(std::chrono::floor<std::chrono::seconds>(when));
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

std::string canonical_request(signable const& what) {
  auto headers = canonical_headers(what.headers);
  auto lines = encoding::join(headers, "", [](auto const& each) { return each.first + ":" + each.second + "\n"; });
  return what.method + "\n" + what.path + "\n" + encoded_query(what.query) + "\n" + lines + "\n" + signed_names(headers) + "\n" +
         what.payload_hash;
}

std::string string_to_sign(signing_scope const& scope, std::string_view canonical) {
  return "AWS4-HMAC-SHA256\n" + amz_date(scope.when) + "\n" + text_of(scope) + "\n" + encoding::hex(sha256(canonical));
}

std::string signature(credentials const& who, signing_scope const& scope, std::string_view text) {
  auto key = hmac_sha256("AWS4" + who.secret_key, day_of(scope));
  key = hmac_sha256(key, scope.region);
  key = hmac_sha256(key, scope.service);
  key = hmac_sha256(key, "aws4_request");
  return encoding::hex(hmac_sha256(key, text));
}

std::string authorization(credentials const& who, signing_scope const& scope, signable const& what) {
  auto signed_text = string_to_sign(scope, canonical_request(what));
  return "AWS4-HMAC-SHA256 Credential=" + who.access_key + "/" + text_of(scope) +
         ", SignedHeaders=" + signed_names(canonical_headers(what.headers)) + ", Signature=" + signature(who, scope, signed_text);
}

}  // namespace kopiur::blob::s3
