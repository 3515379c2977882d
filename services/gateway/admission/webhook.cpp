#include "services/gateway/admission/webhook.hpp"

#include <boost/asio.hpp>
#include <boost/asio/ssl/context.hpp>
#include <fstream>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/http/attend.hpp"
#include "common/http/listen.hpp"
#include "services/gateway/admission/review.hpp"
#include "services/gateway/admission/review_queue.hpp"

namespace kopiur::gateway::kubernetes {

namespace {

namespace fs = std::filesystem;
using asio::use_awaitable;
using asio::ip::tcp;

/// Two objects of the largest size that an API server stores, and more. A review of kopiur's kinds has some hundreds of members.
constexpr json::bounds review_bounds{.bytes = 8 << 20, .members = 200'000};
constexpr duration patience{60'000};
/// How soon a replaced certificate is noticed without reviews, and how soon the first one.
constexpr std::chrono::seconds looked{60}, looked_for_first{1};

std::string content_of(fs::path const& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The source's certificate, once it is usable: while one of two files is being replaced, the former pair stays in use.
class certificate {
 public:
  explicit certificate(webhook_settings const& settings)
      : source_(settings.certificate), origin_(settings.origin), taken_(settings.taken) {}

  std::shared_ptr<asio::ssl::context> now() {
    auto pair = source_();
    if (made_ && pair == used_) return made_;
    try {
      auto fresh = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
      fresh->use_certificate_chain(asio::buffer(pair.certificate));
      fresh->use_private_key(asio::buffer(pair.key), asio::ssl::context::pem);
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
  std::string origin_;
  std::function<void(instant)> taken_;
  std::shared_ptr<asio::ssl::context> made_;
  pem_pair used_;
};

/// The problems of the manifest itself and with other objects; if there are none, the rights that its writer lacks.
awaitable<std::optional<json::value>> examined(std::function<object_map()> const& there, webhook_settings const& settings,
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
  auto review = json::parse(what.body, review_bounds);
  if (!review) co_return http::page{review.error().too_large ? 413 : 400, review.error().text() + "\n"};
  auto said = co_await reviews.answer(*std::move(review));
  if (!said) co_return http::page{400, "that is not an AdmissionReview of admission.k8s.io/v1\n"};
  co_return http::page{200, json::dump(*said), "application/json"};
}

awaitable<void> accept(tcp::acceptor& door, certificate& ours, int of_a_connection, app::nursery& into, review_queue& reviews) {
  for (;;) {
    auto socket = co_await door.async_accept(use_awaitable);
    auto answering = [&reviews](http::asked one) { return answer(reviews, std::move(one)); };
    into.spawn(http::attend(std::move(socket), answering,
                            {.tls = ours.now(), .longest = review_bounds.bytes, .patience = patience, .requests = of_a_connection}));
  }
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

awaitable<void> serve_webhook(webhook_settings settings, std::function<object_map()> there, std::function<void(int)> listening) {
  auto loop = co_await asio::this_coro::executor;
  certificate ours(settings);
  if (settings.missing) co_await wait_for_first(ours, settings.missing);
  auto door = http::listen(loop, settings.address);
  listening(door.local_endpoint().port());
  app::system_clock time(loop);
  review_queue reviews(time, loop, [&](json::value const& review) { return examined(there, settings, review); });
  app::nursery talks(loop);
  talks.spawn(keep_looking(ours));
  talks.spawn(reviews.run());
  talks.spawn(accept(door, ours, settings.reviews, talks, reviews));
  co_await talks.join();
}

}  // namespace kopiur::gateway::kubernetes
