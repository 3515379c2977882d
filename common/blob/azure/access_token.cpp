#include "common/blob/azure/access_token.hpp"

#include <boost/asio.hpp>

#include "common/blob/core/oauth.hpp"
#include "common/blob/form_exchange.hpp"

namespace kopiur::blob::azure {

awaitable_result<std::string> fetch_token(clock& time, transport through, authority from, application who) {
  form_exchange what{.action = "Getting a token for the client " + who.client,
                     .service = "Entra ID",
                     .form = token_form(who),
                     .secrets = {who.secret, who.assertion},
                     .refused = token_error,
                     .luck = who.client,
                     .attempts = from.attempts,
                     .pauses = from.pauses};
  auto where = http::parse_url(from.url);
  if (!where) co_return std::unexpected(error{.kind = failure::invalid, .message = what.action + " failed: " + where.error()});
  while (where->target.ends_with('/')) where->target.pop_back();
  where->target += token_path(who);
  std::string token;
  auto read = [&](std::string_view text) -> std::expected<void, std::string> {
    auto found = read_access_token(text);
    if (!found) return std::unexpected(std::move(found.error()));
    token = std::move(found->text);
    return {};
  };
  auto done = co_await exchange(time, std::move(through), {.where = std::move(*where), .limits = from.limits, .trusted = from.trusted},
                                std::move(what), read);
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return token;
}

}  // namespace kopiur::blob::azure
