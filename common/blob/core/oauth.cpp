#include "common/blob/core/oauth.hpp"

#include <algorithm>

#include "common/json/value.hpp"

namespace kopiur::blob {

namespace {

constexpr std::int64_t longest_lifetime = 86'400;

}  // namespace

std::expected<access_token, std::string> read_access_token(std::string_view text) {
  auto read = json::parse(text);
  access_token token{.text = read ? std::string(read->text("access_token")) : ""};
  if (token.text.empty()) return std::unexpected("it has no access_token");
  if (token.text.find_first_of(" \r\n") != token.text.npos) return std::unexpected("its access_token holds a blank or a line break");
  auto* expires = read->find("expires_in");
  auto* seconds = expires ? expires->as_int() : nullptr;
  if (seconds) token.lifetime = std::chrono::seconds(std::clamp<std::int64_t>(*seconds, 0, longest_lifetime));
  return token;
}

error token_error(int status, std::string_view body, std::string const& action, dialect const& spoken) {
  refusal answer{.status = status};
  if (auto read = json::parse(body)) {
    answer.document.code = read->text("error");
    answer.document.message = read->text("error_description");
    answer.document.request = read->text("correlation_id");
  }
  return classify(answer, action, spoken);
}

}  // namespace kopiur::blob
