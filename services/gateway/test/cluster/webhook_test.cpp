#include "services/gateway/admission/webhook.hpp"

#include <boost/asio/ssl/context.hpp>
#include <fstream>

#include "common/encoding/base64.hpp"
#include "common/http/client.hpp"
#include "common/http/connection.hpp"
#include "common/http/trust.hpp"
#include "common/http/url.hpp"
#include "services/gateway/admission/access_review.hpp"
#include "services/gateway/admission/decoded_objects.hpp"
#include "services/gateway/test/cluster/api.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

using namespace std::chrono_literals;
using proto::answer_code;

std::string content(std::filesystem::path const& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

json::value schedule(std::string ns, std::string name, std::string cron) {
  return json::parse(R"({"apiVersion":"kopiur.home-operations.com/v1alpha1","kind":"BackupSchedule","metadata":{"name":")" + name +
                     R"(","namespace":")" + ns + R"("},"spec":{"configRef":{"name":"photos"},"schedule":{"cron":"H 3 * * *","timezone":")" +
                     cron + R"("}}})")
      .value();
}

/// Backs up the claim `data` as `identity`; the test is about conflicts with other objects.
json::value recipe(std::string ns, std::string name, std::string identity) {
  return json::parse(R"({"apiVersion":"kopiur.home-operations.com/v1alpha1","kind":"BackupConfig","metadata":{"name":")" + name +
                     R"(","namespace":")" + ns +
                     R"("},"spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}}],"identity":{"username":")" + identity +
                     R"("}}})")
      .value();
}
/// A repository, and a BackupConfig that backs up to it as `photos`.
object_map beside(std::string ns) {
  auto nas =
      json::parse(
          R"({"apiVersion":"kopiur.home-operations.com/v1alpha1","kind":"Repository","metadata":{"name":"nas","uid":"1","namespace":")" +
          ns + R"("},"spec":{"backend":{"filesystem":{"path":"/srv"}},"encryption":{"passwordSecretRef":{"name":"p"}}}})")
          .value();
  auto photos = recipe(ns, "photos", "photos");
  photos.find("metadata")->set("uid", "2");
  return {{key_of(nas), nas}, {key_of(photos), photos}};
}

controller::objects const none;
http::response must_be_sent(std::expected<http::response, std::string> answer) {
  if (!answer) throw std::runtime_error(answer.error());
  return std::move(*answer);
}

/// Makes the server call the webhook for every write of kopiur's kinds in `ns`.
awaitable<void> register_us(client& api, std::string ns, int port) {
  auto config =
      json::parse(R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","metadata":{"name":")" + ns +
                  R"("},"webhooks":[{"name":"validate.kopiur.home-operations.com","sideEffects":"None","timeoutSeconds":5,
    "admissionReviewVersions":["v1"],"failurePolicy":"Fail","namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":")" +
                  ns + R"("}},
    "rules":[{"apiGroups":["kopiur.home-operations.com"],"apiVersions":["*"],"resources":["*/*"],"operations":["CREATE","UPDATE","DELETE"]}],
    "clientConfig":{"url":"https://127.0.0.1:)" +
                  std::to_string(port) + R"(/validate","caBundle":")" + encoding::base64(content(api_folder() / "ca.crt")) + R"("}}]})")
          .value();
  must(co_await api.ask(
      {.method = "POST", .path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", .body = config}));
}

TEST(Webhook, IsAskedByTheServerAndRefusesInWords) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage_base it(loop, "reviewed");
    co_await it.make_namespace();
    int port = 0, asked = 0;
    std::optional<instant> good_until;
    auto count = [&](json::value) -> awaitable<std::vector<finding>> {
      ++asked;
      co_return std::vector<finding>();
    };
    decoded_objects there;
    for (auto& [_, object] : beside(it.ns)) there.take(object);
    auto serve = serve_webhook({.address = "127.0.0.1:0",
                                .certificate = files_of(api_folder() / "server.crt", api_folder() / "server.key"),
                                .rights = count,
                                .taken = [&](instant until) { good_until = until; }},
                               there.all(), [&port](int index) { port = index; });
    auto story = [&]() -> awaitable<void> {
      while (port == 0) co_await it.time.sleep_for(10ms);
      co_await register_us(it.api, it.ns, port);
      // The server calls the webhook after a moment; until then it accepts writes without it.
      for (int i = 0; asked == 0 && i < 100; ++i) {
        auto probe = "probe-" + std::to_string(i);
        (void)co_await it.all.create(recipe(it.ns, probe, probe));
        co_await it.time.sleep_for(100ms);
      }
      auto refused = co_await it.all.create(schedule(it.ns, "wrong", "Mars/Olympus"));
      EXPECT_EQ(code_of(refused), answer_code::Invalid);
      EXPECT_NE(refused.error().message.find("Mars/Olympus"), std::string::npos) << refused.error().message;
      auto collides = co_await it.all.create(recipe(it.ns, "pictures", "photos"));
      EXPECT_EQ(code_of(collides), answer_code::Invalid);
      EXPECT_NE(collides.error().message.find(it.ns + "/photos"), std::string::npos) << collides.error().message;
      for (auto name : {"one", "two"}) must(co_await it.all.create(recipe(it.ns, name, name)));
      auto good = must(co_await it.all.create(schedule(it.ns, "good", "Europe/Berlin")));
      must(co_await it.all.write_status(good, json::object{{"observedGeneration", 1}}));
      must(co_await it.all.remove({.object = {"BackupSchedule", it.ns, "good", ""}, .annotations = {}}));
    };
    co_await app::first_of(std::move(serve), story());
    EXPECT_GE(asked, 4);
    EXPECT_TRUE(good_until && *good_until > it.time.now() && *good_until == validity_of(content(api_folder() / "server.crt"))->until);
  });
}

TEST(Webhook, RefusesWhatIsTooLargeForAReview) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    app::system_clock time(loop.get_executor());
    int port = 0;
    auto serve =
        serve_webhook({.address = "127.0.0.1:0", .certificate = files_of(api_folder() / "server.crt", api_folder() / "server.key")}, none,
                      [&port](int index) { port = index; });
    auto story = [&]() -> awaitable<void> {
      while (port == 0) co_await time.sleep_for(10ms);
      auto answer = [&](std::string body) {
        return http::send(time, {.method = "POST",
                                 .url = "https://127.0.0.1:" + std::to_string(port) + "/validate",
                                 .headers = {},
                                 .body = std::move(body),
                                 .ca_file = api_folder() / "ca.crt"});
      };
      std::string many = "[0";
      for (int i = 0; i < 200'000; ++i) many += ",0";
      auto refused = must_be_sent(co_await answer(many + "]"));
      EXPECT_EQ(refused.status, 413);
      EXPECT_EQ(refused.body, "not JSON that we read: 200,001 members, at most 200,000\n");
      EXPECT_EQ(must_be_sent(co_await answer(many)).status, 400);
    };
    co_await app::first_of(std::move(serve), story());
  });
}

/// Runs a story beside a webhook with these limits, on its port.
void with_webhook(webhook_settings settings, std::function<awaitable<void>(clock&, std::string url)> story) {
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    app::system_clock time(loop.get_executor());
    int port = 0;
    settings.address = "127.0.0.1:0";
    settings.certificate = files_of(api_folder() / "server.crt", api_folder() / "server.key");
    auto visit = [&]() -> awaitable<void> {
      while (port == 0) co_await time.sleep_for(10ms);
      co_await story(time, "https://127.0.0.1:" + std::to_string(port) + "/validate");
    };
    co_await app::first_of(serve_webhook(settings, none, [&port](int index) { port = index; }), visit());
  });
}

TEST(Webhook, SaysThatAReviewIsOneByteTooLong) {
  with_webhook({.limits = {.longest = 100}}, [](clock& time, std::string url) -> awaitable<void> {
    auto answer = [&](std::size_t length) {
      return http::send(
          time, {.method = "POST", .url = url, .headers = {}, .body = std::string(length, ' '), .ca_file = api_folder() / "ca.crt"});
    };
    auto refused = must_be_sent(co_await answer(101));
    EXPECT_EQ(refused.status, 413);
    EXPECT_EQ(refused.body, "The body is longer than 100 bytes, and is not read: send less.\n");
    EXPECT_EQ(must_be_sent(co_await answer(100)).status, 400) << "it is read, and no JSON";
  });
}

/// What a client gets that shows a certificate; empty: it shows none.
awaitable<std::string> visited(std::string url, std::string certificate) {
  auto tls = http::loaded({.ca_file = api_folder() / "ca.crt"});
  if (!certificate.empty()) {
    tls->use_certificate_chain_file(api_folder() / (certificate + ".crt"));
    tls->use_private_key_file(api_folder() / (certificate + ".key"), asio::ssl::context::pem);
  }
  try {
    http::connection client(co_await asio::this_coro::executor, tls, http::parse_url(url).value());
    co_await client.open();
    co_return (co_await client.exchange({.method = "POST", .target = "/validate", .headers = {}, .body = "{}"})).body;
  } catch (boost::system::system_error const& e) {
    co_return e.code().message();
  }
}

std::string const answered = "that is not an AdmissionReview of admission.k8s.io/v1\n";
TEST(Webhook, IsOpenOnlyToCertificatesOfTheAuthorityOfItsClients) {
  with_webhook({.client_ca = content(api_folder() / "ca.crt")}, [](clock&, std::string url) -> awaitable<void> {
    EXPECT_EQ(co_await visited(url, "admin"), answered);
    EXPECT_NE(co_await visited(url, ""), answered) << "refused in the handshake: an alert, or a reset connection";
  });
  auto other = new_authority({instant_from("2026-01-01T00:00:00Z").value(), instant_from("2099-01-01T00:00:00Z").value()});
  with_webhook({.client_ca = other.certificate}, [](clock&, std::string url) -> awaitable<void> {
    EXPECT_NE(co_await visited(url, "admin"), answered) << "a certificate of another authority";
  });
}

TEST(Webhook, SaysThatTheAuthorityOfItsClientsIsNone) {
  std::string said;
  try {
    with_webhook({.client_ca = "-----BEGIN CERTIFICATE-----\nnone\n"}, [](clock&, std::string) -> awaitable<void> { co_return; });
  } catch (std::runtime_error const& failed) {
    said = failed.what();
  }
  EXPECT_TRUE(said.contains("The authority of the webhook's clients cannot be used: ")) << said;
  EXPECT_TRUE(said.contains("Give a PEM with its certificate (global.webhook.clientCA, KOPIUR_WEBHOOK_CLIENT_CA).")) << said;
}

json::value review_of(std::string ns, std::string user, std::string object) {
  return json::parse(R"({"request":{"uid":"1","namespace":")" + ns + R"(","userInfo":{"username":")" + user +
                     R"(","groups":["system:authenticated"]},"object":)" + object + "}}")
      .value();
}
json::value with_command(std::string ns, std::string user) {
  return review_of(ns, user,
                   R"({"kind":"BackupConfig","metadata":{"name":"db"},"spec":{"hooks":{"beforeSnapshot":[)"
                   R"({"workloadExec":{"podSelector":{},"command":["sync"]}}]}}})");
}

/// Grants a user one rule of RBAC, in a namespace.
awaitable<void> grant(stage_base& it, std::string user, std::string rule) {
  auto made = [&](std::string plural, std::string body) {
    return it.api.ask({.method = "POST",
                       .path = path_of(resource{"", "rbac.authorization.k8s.io/v1", plural}, it.ns),
                       .body = json::parse(body).value()});
  };
  must(co_await made("roles", R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":")" + user +
                                  R"("},"rules":[)" + rule + "]}"));
  must(co_await made("rolebindings", R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","metadata":{"name":")" + user +
                                         R"("},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":")" + user +
                                         R"("},"subjects":[{"kind":"User","name":")" + user +
                                         R"(","apiGroup":"rbac.authorization.k8s.io"}]})"));
}

/// The problems that remain after the server's cache of rights had ten seconds to allow it.
awaitable<std::string> wrong_at_last(stage_base& it, access_reviewer& reviewer, json::value review) {
  auto wrong = co_await reviewer.lacking(review);
  for (int i = 0; i < 100 && !wrong.empty(); ++i) {
    co_await it.time.sleep_for(100ms);
    wrong = co_await reviewer.lacking(review);
  }
  co_return listing(wrong);
}

TEST(Webhook, LetsNobodyRunCommandsInPodsWhoMayNotDoItHimself) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage_base it(loop, "borrowed");
    access_reviewer reviewer(it.time, reviews_by(it.api));
    co_await it.make_namespace();
    EXPECT_EQ(listing(co_await reviewer.lacking(with_command(it.ns, "jane"))),
              "spec.hooks.beforeSnapshot[0].workloadExec: kopiur would do this for jane, who may not do it: this needs the right to "
              "create pods/exec in namespace borrowed.");
    co_await grant(it, "jane", R"({"apiGroups":[""],"resources":["pods/exec"],"verbs":["create"]})");
    EXPECT_EQ(co_await wrong_at_last(it, reviewer, with_command(it.ns, "jane")), "") << "with the right of her own";
    EXPECT_EQ((co_await reviewer.lacking(with_command(it.ns, "joe"))).size(), 1U);
  });
}

TEST(Webhook, LetsNobodyNameASecretWhoMayNotUseIt) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage_base it(loop, "named", "writer");
    access_reviewer reviewer(it.time, reviews_by(it.api));
    co_await it.make_namespace();
    auto by = [&](std::string user) {
      return review_of(it.ns, user, R"({"kind":"Repository","spec":{"encryption":{"passwordSecretRef":{"name":"password"}}}})");
    };
    // The object has no namespace: the review is about the namespace of the Secret.
    auto shared_by = [&](std::string user) {
      return review_of(
          "", user,
          R"({"kind":"ClusterRepository","spec":{"encryption":{"passwordSecretRef":{"name":"password","namespace":")" + it.ns + R"("}}}})");
    };
    std::string const refusal =
        "spec.encryption.passwordSecretRef.name: kopiur would use Secret \"password\" for jane, who may not do it: this needs the "
        "right to create pods or get secrets \"password\" in namespace named.";
    EXPECT_EQ(listing(co_await reviewer.lacking(by("jane"))), refusal);
    EXPECT_EQ(listing(co_await reviewer.lacking(shared_by("jane"))), refusal);
    EXPECT_EQ(listing(co_await reviewer.lacking(by("writer"))), "") << "that is who asks";
    co_await grant(it, "jane", R"({"apiGroups":[""],"resources":["secrets"],"resourceNames":["password"],"verbs":["get"]})");
    EXPECT_EQ(co_await wrong_at_last(it, reviewer, by("jane")), "");
    EXPECT_EQ(listing(co_await reviewer.lacking(shared_by("jane"))), "");
    co_await grant(it, "joe", R"({"apiGroups":[""],"resources":["pods"],"verbs":["create"]})");
    EXPECT_EQ(co_await wrong_at_last(it, reviewer, by("joe")), "");
    EXPECT_EQ((co_await reviewer.lacking(by("jim"))).size(), 1U);
  });
}

TEST(Webhook, WithoutACertificateSaysSo) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    (void)loop;
    std::string said;
    try {
      co_await serve_webhook(
          {.address = "127.0.0.1:0", .certificate = files_of("/nowhere/tls.crt", "/nowhere/tls.key"), .origin = "/nowhere/tls.crt"}, none);
    } catch (std::runtime_error const& failed) {
      said = failed.what();
    }
    EXPECT_NE(said.find("/nowhere/tls.crt"), std::string::npos) << said;
  });
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
