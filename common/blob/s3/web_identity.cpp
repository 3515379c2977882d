#include "common/blob/s3/web_identity.hpp"

#include <boost/asio.hpp>

#include "common/blob/form_exchange.hpp"
#include "common/encoding/text.hpp"
#include "common/files/files.hpp"

namespace kopiur::blob::s3 {

namespace {

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
  auto token = encoding::trimmed(*text);
  if (token.empty()) return std::unexpected(invalid(action, "the token's file " + file.string() + " is empty."));
  return std::string(token);
}

}  // namespace

awaitable_result<temporary_credentials> assume_role(clock& time, transport through, web_identity what) {
  auto action = "Assuming the role " + what.role;
  auto where = http::parse_url(what.endpoint);
  if (!where) co_return std::unexpected(invalid(action, where.error()));
  auto token = read_token(what.token_file, action);
  if (!token) co_return std::unexpected(std::move(token.error()));
  form_exchange form{.action = action,
                     .service = "STS",
                     .form = web_identity_form(what.role, *token, what.session),
                     .secrets = {*token},
                     .refused = sts_error,
                     .luck = what.role,
                     .attempts = what.attempts,
                     .pauses = what.pauses};
  temporary_credentials got;
  auto read = [&](std::string_view text) -> std::expected<void, std::string> {
    auto found = read_temporary_credentials(text);
    if (!found) return std::unexpected(std::move(found.error()));
    got = std::move(*found);
    return {};
  };
  auto done = co_await exchange(time, std::move(through), {.where = std::move(*where), .limits = what.limits, .trusted = what.trusted},
                                std::move(form), read);
  if (!done) co_return std::unexpected(std::move(done.error()));
  if (got.expires <= time.now())
    co_return std::unexpected(invalid(action, "the credentials are expired already. Set the clock of this machine, for example by NTP."));
  co_return got;
}

}  // namespace kopiur::blob::s3
