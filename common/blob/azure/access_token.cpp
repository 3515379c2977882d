#include "common/blob/azure/access_token.hpp"

#include <boost/asio.hpp>

#include "common/encoding/text.hpp"

namespace kopiur::blob::azure {

namespace {

constexpr std::size_t longest_answer = 256 << 10;

awaitable_result<std::string> ask_once(transport through, http::streamed_request what, std::string action) {
  auto answer = co_await through(std::move(what));
  auto text = answer ? co_await text_of(*answer, longest_answer) : std::unexpected(answer.error());
  if (!text) co_return std::unexpected(error{.kind = failure::unavailable, .message = action + " failed: " + text.error()});
  if (answer->head.status != 200) co_return std::unexpected(token_error(answer->head.status, *text, action));
  auto read = read_token(*text);
  if (!read)
    co_return std::unexpected(error{.message = action + " failed: the answer of Entra ID cannot be used, because " + read.error() + "."});
  co_return std::move(*read);
}

}  // namespace

awaitable_result<std::string> fetch_token(clock& time, transport through, authority from, application who) {
  auto action = "Getting a token for the client " + who.client;
  auto where = http::parse_url(from.url);
  if (!where) co_return std::unexpected(error{.kind = failure::invalid, .message = action + " failed: " + where.error()});
  while (where->target.ends_with('/')) where->target.pop_back();
  where->target += token_path(who);
  http::streamed_request request{.method = "POST",
                                 .where = std::move(*where),
                                 .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
                                 .repeatable = true,
                                 .limits = from.limits,
                                 .trusted = from.trusted};
  std::vector<std::string> secrets{who.secret, who.assertion};
  for (int number = 1;; ++number) {
    request.body = http::text_upload(token_form(who));
    auto got = co_await ask_once(through, request, action);
    if (!got) got.error().message = encoding::masked(got.error().message, secrets);
    if (got || got.error().kind != failure::unavailable || number >= from.attempts) co_return got;
    co_await time.sleep_for(backoff(static_cast<unsigned>(number), from.pauses, who.client));
  }
}

}  // namespace kopiur::blob::azure
