#include "services/gateway/admission/webhook.hpp"

#include <boost/asio.hpp>
#include <boost/asio/ssl/context.hpp>
#include <fstream>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/http/listen.hpp"
#include "common/http/serve_clients.hpp"
#include "services/gateway/admission/review.hpp"
#include "services/gateway/admission/review_queue.hpp"

namespace kopiur::gateway::kubernetes {

namespace {

namespace fs = std::filesystem;
using asio::use_awaitable;

/// A review of kopiur's kinds has some hundreds of members.
constexpr json::bounds review_bounds{.bytes = webhook_limits().longest, .members = 200'000};
/// How soon a replaced certificate is noticed without reviews, and how soon the first one.
constexpr std::chrono::seconds looked{60}, looked_for_first{1};

std::string content_of(fs::path const& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

using certificate_context = asio::ssl::context;

/// A client without a certificate that this authority signed is refused in the handshake.
void demand_certificate(certificate_context& of_server, std::string const& authority) {
  if (authority.empty()) return;
  of_server.add_certificate_authority(asio::buffer(authority));
  of_server.set_verify_mode(asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert);
  static constexpr unsigned char session_name[] = "kopiur-webhook";  // OpenSSL resumes no session with a certificate without a name
  SSL_CTX_set_session_id_context(of_server.native_handle(), session_name, sizeof session_name - 1);
}

/// Throws std::runtime_error with a sentence when the setting cannot be used.
void check_client_authority(std::string const& authority) try {
  certificate_context probe(certificate_context::tls_server);
  demand_certificate(probe, authority);
} catch (boost::system::system_error const& e) {
  throw std::runtime_error("The authority of the webhook's clients cannot be used: " + e.code().message() +
                           ". Give a PEM with its certificate (global.webhook.clientCA, KOPIUR_WEBHOOK_CLIENT_CA).");
}

/// The source's certificate, once it is usable: while one of two files is being replaced, the former pair stays in use.
class certificate {
 public:
  explicit certificate(webhook_settings const& settings)
      : source_(settings.certificate), origin_(settings.origin), client_ca_(settings.client_ca), taken_(settings.taken) {}

  std::shared_ptr<certificate_context> now() {
    auto pair = source_();
    if (made_ && pair == used_) return made_;
    try {
      auto fresh = std::make_shared<certificate_context>(certificate_context::tls_server);
      fresh->use_certificate_chain(asio::buffer(pair.certificate));
      fresh->use_private_key(asio::buffer(pair.key), certificate_context::pem);
      demand_certificate(*fresh, client_ca_);
      made_ = std::move(fresh), used_ = std::move(pair);
      if (auto good = taken_ ? validity_of(used_.certificate) : std::nullopt) taken_(good->until);
    } catch (boost::system::system_error const& e) {
      if (made_) return made_;
      auto why = pair.certificate.empty() || pair.key.empty() ? "it or its key is missing" : e.code().message();
      throw std::runtime_error("The webhook's certificate cannot be used (" + origin_ + "): " + why + ". Give it and its key as PEM.");
    }
    return made_;
  }

 private:
  certificate_source source_;
  std::string origin_, client_ca_;
  std::function<void(instant)> taken_;
  std::shared_ptr<certificate_context> made_;
  pem_pair used_;
};

/// The problems of the manifest itself and with other objects; if there are none, the rights that its writer lacks.
awaitable<std::optional<json::value>> examined(controller::objects const& there, webhook_settings const& settings,
                                               json::value const& review) {
  auto said = reviewed(review, there, settings.configurations);
  auto* passes = said ? said->at("response.allowed") : nullptr;
  if (!passes || !*passes->as_bool() || !settings.rights) co_return said;
  auto wrong = co_await settings.rights(review);
  co_return wrong.empty() ? said : std::optional(answered(review, wrong));
}

awaitable<http::page> answer(review_queue& reviews, http::asked what) {
  if (what.path != "/validate") co_return http::page{404, "only /validate is served here\n"};
  if (what.method != "POST") co_return http::page{405, "only POST is served here\n"};
  auto review = json::parse(std::exchange(what.body, {}), review_bounds);
  if (!review) co_return http::page{review.error().too_large ? 413 : 400, review.error().text() + "\n"};
  auto said = co_await reviews.answer(*std::move(review));
  if (!said) co_return http::page{400, "that is not an AdmissionReview of admission.k8s.io/v1\n"};
  co_return http::page{200, json::dump(*said), "application/json"};
}

/// How each client is attended.
http::manners terms_of(webhook_settings const& settings, certificate& ours, std::shared_ptr<http::byte_budget> bytes) {
  auto& limits = settings.limits;
  return {.tls = ours.now(),
          .longest = limits.longest,
          .arrival = limits.arrival,
          .patience = limits.review,
          .room = limits.room,
          .requests = settings.reviews,
          .bytes = std::move(bytes)};
}

awaitable<void> pause(std::chrono::seconds length) {
  asio::steady_timer timer(co_await asio::this_coro::executor, length);
  co_await timer.async_wait(use_awaitable);
}

/// Why there is none to use; empty: there is one.
std::string problem_of(certificate& ours) {
  try {
    (void)ours.now();
    return {};
  } catch (std::runtime_error const& e) {
    return e.what();
  }
}

/// Returns once there is one.
awaitable<void> wait_for_first(certificate& ours, std::function<void(std::string)> missing) {
  std::string told;
  for (auto why = problem_of(ours); !why.empty(); why = problem_of(ours)) {
    if (why != told) missing((told = why) + " It is waited for.");
    co_await pause(looked_for_first);
  }
}

awaitable<void> keep_looking(certificate& ours) {
  for (;;) {
    (void)ours.now();
    co_await pause(looked);
  }
}

}  // namespace

certificate_source files_of(fs::path chain, fs::path key) {
  return [chain = std::move(chain), key = std::move(key)] { return pem_pair{content_of(chain), content_of(key)}; };
}

awaitable<void> serve_webhook(webhook_settings settings, controller::objects const& there, std::function<void(int)> listening) {
  auto loop = co_await asio::this_coro::executor;
  check_client_authority(settings.client_ca);
  certificate ours(settings);
  if (settings.missing) co_await wait_for_first(ours, settings.missing);
  auto door = http::listen(loop, settings.address);
  listening(door.local_endpoint().port());
  app::system_clock time(loop);
  review_queue reviews(time, loop, [&](json::value const& review) { return examined(there, settings, review); });
  auto bytes = std::make_shared<http::byte_budget>(loop, settings.limits.bytes, settings.limits.small);
  auto answering = [&reviews](http::asked one) { return answer(reviews, std::move(one)); };
  auto terms = [&settings, &ours, bytes] { return terms_of(settings, ours, bytes); };
  app::nursery parts(loop);
  parts.spawn(keep_looking(ours));
  parts.spawn(reviews.run());
  parts.spawn(http::serve_clients(door, answering, terms, {.clients = settings.limits.clients, .report = settings.report}));
  co_await parts.join();
}

}  // namespace kopiur::gateway::kubernetes
