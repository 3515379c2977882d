#include "common/blob/azure/requests.hpp"

#include <boost/asio.hpp>

#include "common/blob/azure/core/answers.hpp"
#include "common/blob/core/digest.hpp"
#include "common/blob/core/http_date.hpp"
#include "common/encoding/base64.hpp"
#include "common/encoding/text.hpp"

namespace kopiur::blob::azure {

namespace {

constexpr std::size_t longest_answer = 256 << 10;
constexpr std::uint64_t asks_from = 256 << 10;  // a smaller body costs less than a round trip

}  // namespace

std::expected<http::streamed_request, std::string> requests::prepare(request const& what) const {
  auto where = http::parse_url(options_.endpoint);
  if (!where) return std::unexpected(where.error());
  if (where->target.contains('?')) return std::unexpected("the endpoint has a query. Remove it.");
  if (options_.key.empty() && !where->tls) return std::unexpected("a token is sent only over TLS. Use https.");
  while (where->target.ends_with('/')) where->target.pop_back();
  where->target += "/" + encoded(what.container) + (what.name.empty() ? "" : "/" + encoded_path(what.name));
  signable sign{.method = what.method, .path = where->target, .query = what.query, .headers = what.headers};
  sign.body_length = what.body.size();
  sign.headers.emplace_back("x-ms-version", "2021-12-02");
  sign.headers.emplace_back("x-ms-date", to_http_date(time_.now()));
  if (!what.body.empty()) sign.headers.emplace_back("Content-MD5", encoding::base64(md5(what.body)));
  auto proof = options_.key.empty() ? "Bearer " + options_.token : shared_key(options_.account, options_.key, sign);
  sign.headers.emplace_back("Authorization", proof);
  if (!what.query.empty()) where->target += "?" + encoded_query(what.query);
  return http::streamed_request{.method = what.method,
                                .where = std::move(*where),
                                .headers = std::move(sign.headers),
                                .body = what.method == "PUT" ? http::text_upload(what.body) : http::upload(),
                                .asks_first = what.body.size() >= asks_from,
                                .repeatable = false,
                                .limits = options_.limits,
                                .trusted = options_.trusted};
}

/// `whole`: the body is read too, so that the connection can be used again; an answer that breaks off is none.
awaitable_result<http_answer> requests::try_once(http::streamed_request prepared, request const& what, bool whole) {
  auto answer = co_await transport_(std::move(prepared));
  if (answer && answer->head.status / 100 == 2 && !whole) co_return std::move(*answer);
  auto text = answer ? co_await text_of(*answer, longest_answer) : std::unexpected(answer.error());
  if (!text) co_return std::unexpected(error{.kind = failure::unavailable, .message = what.action + " failed: " + text.error()});
  auto& head = answer->head;
  if (head.status / 100 == 2) co_return std::move(*answer);
  refusal why{.status = head.status,
              .document = read_error_document(*text),
              .request = std::string(head["x-ms-request-id"]),
              .ours = time_.now(),
              .theirs = http_date(head["date"])};
  co_return std::unexpected(store_error(std::move(why), std::string(head["x-ms-error-code"]), what.action));
}

awaitable_result<http_answer> requests::repeat(request what, bool whole) {
  bool unsure = false;
  for (int number = 1;; ++number) {
    auto prepared = prepare(what);
    if (!prepared) co_return std::unexpected(error{.kind = failure::invalid, .message = what.action + " failed: " + prepared.error()});
    auto done = co_await try_once(std::move(*prepared), what, whole);
    if (done) co_return done;
    auto& failed = done.error();
    std::vector<std::string> secrets{options_.token, encoding::base64(options_.key)};
    failed.message = encoding::masked(std::move(failed.message), secrets);
    failed.repeated = std::exchange(unsure, unsure || may_have_taken_effect(failed));
    if (failed.kind != failure::unavailable || number >= options_.attempts) co_return done;
    co_await time_.sleep_for(backoff(static_cast<unsigned>(number), options_.pauses, what.container + "/" + what.name));
  }
}

awaitable_result<http::answer_head> requests::send(request what) {
  auto done = co_await repeat(std::move(what), true);
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return std::move(done->head);
}

awaitable_result<http_answer> requests::ask(request what) { return repeat(std::move(what), false); }

}  // namespace kopiur::blob::azure
