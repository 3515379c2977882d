#include "common/blob/s3/web_identity.hpp"

#include <boost/asio.hpp>

#include "common/encoding/text.hpp"
#include "common/files/files.hpp"

namespace kopiur::blob::s3 {

namespace {

constexpr std::size_t longest_answer = 256 << 10;

error invalid(std::string const& action, std::string const& why) {
  return {.kind = failure::invalid, .message = action + " failed: " + why};
}

result<std::string> read_token(std::filesystem::path const& file, std::string const& action) {
  std::optional<std::string> text;
  try {
    text = files::read_file(file);
  } catch (std::exception const& why) {
    return std::unexpected(invalid(action, std::string(why.what()) + "."));
  }
  if (!text) return std::unexpected(invalid(action, "the token's file " + file.string() + " does not exist. Mount a projected token."));
  text->erase(text->find_last_not_of(" \t\r\n") + 1);
  if (text->empty()) return std::unexpected(invalid(action, "the token's file " + file.string() + " is empty."));
  return std::move(*text);
}

awaitable_result<temporary_credentials> ask_once(transport through, http::streamed_request what, std::string action) {
  auto answer = co_await through(std::move(what));
  auto text = answer ? co_await text_of(*answer, longest_answer) : std::unexpected(answer.error());
  if (!text) co_return std::unexpected(error{.kind = failure::unavailable, .message = action + " failed: " + text.error()});
  if (answer->head.status != 200) co_return std::unexpected(sts_error(answer->head.status, *text, action));
  auto read = read_temporary_credentials(*text);
  if (!read)
    co_return std::unexpected(error{.message = action + " failed: the answer of STS cannot be used, because " + read.error() + "."});
  co_return std::move(*read);
}

}  // namespace

awaitable_result<temporary_credentials> assume_role(clock& time, transport through, web_identity what) {
  auto action = "Assuming the role " + what.role;
  auto where = http::parse_url(what.endpoint);
  if (!where) co_return std::unexpected(invalid(action, where.error()));
  auto token = read_token(what.token_file, action);
  if (!token) co_return std::unexpected(std::move(token.error()));
  http::streamed_request request{.method = "POST",
                                 .where = std::move(*where),
                                 .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
                                 .repeatable = true,
                                 .limits = what.limits,
                                 .trusted = what.trusted};
  for (int number = 1;; ++number) {
    request.body = http::text_upload(web_identity_form(what.role, *token, what.session));
    auto got = co_await ask_once(through, request, action);
    if (!got) got.error().message = encoding::masked(got.error().message, {&*token, 1});
    if (got && got->expires <= time.now())
      co_return std::unexpected(invalid(action, "the credentials are expired already. Set the clock of this machine, for example by NTP."));
    if (got || got.error().kind != failure::unavailable || number >= what.attempts) co_return got;
    co_await time.sleep_for(backoff(static_cast<unsigned>(number), what.pauses, what.role));
  }
}

}  // namespace kopiur::blob::s3
