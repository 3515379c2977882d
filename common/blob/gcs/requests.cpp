#include "common/blob/gcs/requests.hpp"

#include <boost/asio.hpp>

#include "common/encoding/text.hpp"

namespace kopiur::blob::gcs {

namespace asio = boost::asio;

namespace {

constexpr std::size_t longest_answer = 256 << 10;

/// Whoever knows the id of a session can write to it.
std::vector<std::string> secrets_of(request const& what, std::string const& token) {
  if (what.about != subject::session) return {token};
  constexpr std::string_view name = "upload_id=";
  return {token, what.target.substr(what.target.find(name) + name.size())};  // session_target() has looked for it
}

}  // namespace

struct requests::answered {
  http_answer answer;
  std::string text{};  ///< its body, if it was requested
};

error requests::malformed(std::string const& action, std::string const& why) {
  return {.kind = failure::other, .message = action + " failed: the store's answer cannot be used, because " + why + "."};
}

asio::awaitable<void> requests::pause(int failures, std::string const& luck) {
  return time_.sleep_for(backoff(static_cast<unsigned>(failures), options_.pauses, luck));
}

std::string requests::problem() const {
  auto where = http::parse_url(options_.endpoint);
  if (!where) return where.error();
  if (where->target != "/") return "the endpoint has a path or a query. Remove it.";
  if (!options_.tokens)
    return where->tls ? "there are no credentials. Give a credentials.json or a workload identity; only an emulator (http://) needs none."
                      : "";
  if (!may_hold_credentials(*where))
    return "a token is sent only by https and to googleapis.com. Use https://storage.googleapis.com, or give an emulator no credentials.";
  return "";
}

awaitable_result<std::string> requests::token(std::string const& action) {
  if (auto wrong = problem(); !wrong.empty())
    co_return std::unexpected(error{.kind = failure::invalid, .message = action + " failed: " + wrong});
  if (!options_.tokens) co_return std::string();
  co_return co_await options_.tokens();
}

awaitable_result<void> requests::authorise(std::string action) {
  auto got = co_await token(action);
  if (!got) co_return std::unexpected(std::move(got.error()));
  co_return result<void>();
}

http::streamed_request requests::prepare(request const& what, std::string const& token) const {
  auto where = http::parse_url(options_.endpoint).value();  // problem() has looked
  where.target = what.target;
  if (!what.query.empty()) where.target += "?" + encoded_query(what.query);
  auto headers = what.headers;
  if (!token.empty()) headers.emplace_back("Authorization", "Bearer " + token);
  return {.method = what.method,
          .where = std::move(where),
          .headers = std::move(headers),
          .body = what.method == "GET" ? http::upload() : http::text_upload(what.body),
          .repeatable = false,
          .limits = options_.limits,
          .trusted = options_.trusted};
}

/// `whole`: the body is read too, so that the connection can be used again; an answer that breaks off is none.
awaitable_result<requests::answered> requests::try_once(request const& what, std::string const& token, bool whole) {
  auto answer = co_await transport_(prepare(what, token));
  auto status = answer ? answer->head.status : 0;
  bool good = status / 100 == 2 || (status == 308 && what.about == subject::session);
  if (good && !whole) co_return answered{.answer = std::move(*answer)};
  auto text = answer ? co_await text_of(*answer, longest_answer) : std::unexpected(answer.error());
  if (!text) co_return std::unexpected(error{.kind = failure::unavailable, .message = what.action + " failed: " + text.error()});
  if (!good)
    co_return std::unexpected(store_error(status, encoding::masked(std::move(*text), secrets_of(what, token)), what.action, what.about));
  co_return answered{.answer = std::move(*answer), .text = std::move(*text)};
}

awaitable_result<requests::answered> requests::repeat(request what, bool whole) {
  auto got = what.about == subject::session ? result<std::string>("") : co_await token(what.action);
  if (!got) co_return std::unexpected(std::move(got.error()));
  bool unsure = false;
  for (int number = 1;; ++number) {
    auto done = co_await try_once(what, *got, whole);
    if (done) co_return done;
    auto& failed = done.error();
    failed.message = encoding::masked(std::move(failed.message), secrets_of(what, *got));
    failed.repeated = std::exchange(unsure, unsure || may_have_taken_effect(failed));
    if (failed.kind != failure::unavailable || what.once || number >= options_.attempts) co_return done;
    co_await pause(number, what.target);
  }
}

awaitable_result<document> requests::read(request what) {
  auto done = co_await repeat(std::move(what), true);
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return document{.head = std::move(done->answer.head), .text = std::move(done->text)};
}

awaitable_result<http_answer> requests::ask(request what) {
  auto done = co_await repeat(std::move(what), false);
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return std::move(done->answer);
}

}  // namespace kopiur::blob::gcs
