#include "common/blob/gcs/access_token.hpp"

#include <boost/asio.hpp>

#include "common/blob/core/oauth.hpp"
#include "common/blob/form_exchange.hpp"
#include "common/encoding/ip_address.hpp"
#include "common/encoding/text.hpp"

namespace kopiur::blob::gcs {

namespace {

constexpr duration margin(300'000);

struct fetcher {
  clock& time;
  transport through;
  authority from;
};

error invalid(std::string const& action, std::string const& why) {
  return {.kind = failure::invalid, .message = action + " failed: " + why};
}

awaitable_result<access_token> fetch(fetcher means, http::streamed_request where, form_exchange what) {
  what.attempts = means.from.attempts, what.pauses = means.from.pauses;
  where.limits = means.from.limits, where.trusted = means.from.trusted;
  access_token token;
  auto read = [&](std::string_view text) -> std::expected<void, std::string> {
    auto found = read_access_token(text);
    if (!found) return std::unexpected(std::move(found.error()));
    token = std::move(*found);
    return {};
  };
  auto done = co_await exchange(means.time, std::move(means.through), std::move(where), std::move(what), read);
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return token;
}

awaitable_result<access_token> fetch_for_account(fetcher means, service_account who) {
  form_exchange what{
      .action = "Getting a token for the service account " + who.email, .service = "Google", .refused = token_error, .luck = who.email};
  auto where = http::parse_url(who.token_uri);
  if (!where || !may_hold_credentials(*where))
    co_return std::unexpected(
        invalid(what.action,
                "the token_uri of the credentials is not an https address on googleapis.com, and the key signs for no "
                "other host. Download the service account's key again."));
  auto form = token_form(who, means.time.now());
  if (!form) co_return std::unexpected(invalid(what.action, form.error()));
  what.form = std::move(form->text);
  what.secrets = {std::move(form->assertion)};
  co_return co_await fetch(std::move(means), {.where = std::move(*where)}, std::move(what));
}

awaitable_result<access_token> fetch_from_metadata(fetcher means, std::string host) {
  form_exchange what{.action = "Getting a token from the metadata server " + host,
                     .service = "the metadata server",
                     .refused = metadata_error,
                     .luck = host};
  auto where = http::parse_url("http://" + host + "/computeMetadata/v1/instance/service-accounts/default/token");
  if (!where) co_return std::unexpected(invalid(what.action, where.error() + " Correct GCE_METADATA_HOST."));
  auto got = co_await fetch(std::move(means), {.where = std::move(*where), .headers = {{"Metadata-Flavor", "Google"}}}, std::move(what));
  if (!got)
    got.error().message += " Give the pod a workload identity of Google Cloud, or give a credentials.json, which other clusters need.";
  co_return got;
}

struct kept_token {
  clock& time;
  std::function<awaitable_result<access_token>()> fetch;
  std::string text{};
  duration good_until{0};  // steady: a step of the wall clock makes no token older
};

awaitable_result<std::string> current(std::shared_ptr<kept_token> kept) {
  if (!kept->text.empty() && kept->time.steady() < kept->good_until) co_return kept->text;
  auto asked = kept->time.steady();
  auto fresh = co_await kept->fetch();
  if (!fresh) co_return std::unexpected(std::move(fresh.error()));
  kept->good_until = asked + fresh->lifetime - margin;
  kept->text = fresh->text;
  co_return std::move(fresh->text);
}

token_source keeping(clock& time, std::function<awaitable_result<access_token>()> fetch) {
  auto kept = std::make_shared<kept_token>(time, std::move(fetch));  // by copies of the source
  return [kept] { return current(kept); };
}

}  // namespace

bool may_hold_credentials(http::address const& where) {
  auto host = encoding::lower_case(where.host);
  if (where.tls && (host == "googleapis.com" || host.ends_with(".googleapis.com")))
    return host.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == host.npos;
  auto ip = encoding::parse_ip(host);
  return ip && (encoding::contains(*encoding::parse_ip_range("127.0.0.0/8"), *ip) || ip == encoding::parse_ip("::1"));
}

token_source tokens_of(clock& time, transport through, service_account who, authority from) {
  fetcher means{time, std::move(through), std::move(from)};
  return keeping(time, [means, who = std::move(who)] { return fetch_for_account(means, who); });
}

token_source metadata_tokens(clock& time, transport through, std::string host, authority from) {
  fetcher means{time, std::move(through), std::move(from)};
  return keeping(time, [means, host = std::move(host)] { return fetch_from_metadata(means, host); });
}

}  // namespace kopiur::blob::gcs
