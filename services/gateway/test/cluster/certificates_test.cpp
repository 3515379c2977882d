#include "services/gateway/admission/webhook_certificates.hpp"

#include <set>

#include "common/encoding/base64.hpp"
#include "services/gateway/admission/webhook.hpp"
#include "services/gateway/test/cluster/api.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

using namespace std::chrono_literals;

constexpr auto configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

/// An installation whose certificates live for seconds, and whose webhook may refuse: a failed handshake is visible.
struct stage : stage_base {
  using stage_base::stage_base;

  certificate_settings settings() {
    return {.namespace_ = ns,
            .secret = "webhook",
            .configuration = ns,
            .names = {"localhost"},
            .limits = {.authority = 24s, .serving = 12s, .backdated = 1s, .settled = 1s},
            .looked = 250ms,
            .again = 250ms,
            .report = [this](std::string sentence) { reported.push_back(std::move(sentence)); }};
  }
  webhook_certificates certificates() { return {api, time, api_loop, settings()}; }
  /// As in the chart: without a bundle.
  awaitable<void> make_configuration(int port) {
    auto manifest =
        json::parse(R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","metadata":{"name":")" + ns +
                    R"("},"webhooks":[{"name":"validate.kopiur.home-operations.com","sideEffects":"None","timeoutSeconds":5,
      "admissionReviewVersions":["v1"],"failurePolicy":"Fail","namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":")" +
                    ns + R"("}},"rules":[{"apiGroups":["kopiur.home-operations.com"],"apiVersions":["*"],"resources":["*"],
      "operations":["CREATE","UPDATE"]}],"clientConfig":{"url":"https://localhost:)" +
                    std::to_string(port) + R"(/validate"}}]})")
            .value();
    must(co_await api.ask({.method = "POST", .path = configurations, .body = std::move(manifest)}));
  }
  awaitable<bool> point_to(int port) {
    auto now = co_await configuration();
    now.find("webhooks")->as_array()->front().find("clientConfig")->set("url", "https://localhost:" + std::to_string(port) + "/validate");
    auto done = co_await api.ask({.method = "PUT", .path = configurations + ("/" + ns), .body = std::move(now)});
    co_return done.has_value();
  }
  awaitable<json::value> configuration() { return must_ask({.path = configurations + ("/" + ns)}); }
  awaitable<json::value> secret() { return must_ask({.path = path_of(*resource_of("Secret"), ns, "webhook")}); }
  awaitable<json::value> must_ask(call what) { co_return must(co_await api.ask(std::move(what))); }
  awaitable<std::string> bundle() {
    auto all = co_await configuration();
    auto& hook = all.find("webhooks")->as_array()->front();
    co_return encoding::from_base64(hook.text("clientConfig.caBundle")).value_or("");
  }
  /// The server's answer to an invalid schedule.
  awaitable<std::string> answer() {
    auto wrong =
        json::parse(
            R"({"apiVersion":"kopiur.home-operations.com/v1alpha1","kind":"BackupSchedule","metadata":{"name":"wrong","namespace":")" + ns +
            R"("},"spec":{"configRef":{"name":"photos"},"schedule":{"cron":"H 3 * * *","timezone":"Mars/Olympus"}}})")
            .value();
    auto made = co_await all.create(std::move(wrong));
    co_return made ? "taken" : made.error().message;
  }

  asio::any_io_executor api_loop;
  std::vector<std::string> reported;
};

bool is_by_us(std::string const& said) { return said.contains("Mars/Olympus"); }

TEST(WebhookCertificates, AreReplacedWhileTheServerGoesOnAsking) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "rotated");
    it.api_loop = loop.get_executor();
    co_await it.make_namespace();
    auto active = it.certificates(), other = it.certificates();
    int port = 0, asked = 0;
    std::set<std::string> served, bundles;
    controller::objects const none;
    auto serve = [&]() -> awaitable<void> {  // by the standby gateway
      co_await other.found();
      webhook_settings settings{.address = "127.0.0.1:0", .certificate = [&] { return other.serving(); }, .reviews = 1};
      co_await serve_webhook(std::move(settings), none, [&](int index) { port = index; });
    };
    auto story = [&]() -> awaitable<void> {
      co_await it.make_configuration(1);  // nothing listens there yet
      while (port == 0) co_await it.time.sleep_for(10ms);
      while (!co_await it.point_to(port)) co_await it.time.sleep_for(10ms);  // the active gateway may have written meanwhile
      for (int i = 0; i < 100 && !is_by_us(co_await it.answer()); ++i) co_await it.time.sleep_for(50ms);
      for (auto until = it.time.now() + 36s; it.time.now() < until; co_await it.time.sleep_for(250ms)) {
        auto said = co_await it.answer();  // on a new connection
        EXPECT_TRUE(is_by_us(said)) << said;
        ++asked;
        served.insert(other.serving().certificate);
        bundles.insert(co_await it.bundle());
      }
    };
    app::nursery parts(loop.get_executor());
    parts.spawn(active.keep());
    parts.spawn(other.follow());
    parts.spawn(serve());
    co_await app::first_of(parts.join(), story());
    EXPECT_GE(asked, 40);
    EXPECT_GE(served.size(), 4);
    EXPECT_GE(bundles.size(), 3);
    for (auto const& each : it.reported) EXPECT_NE(each.find("not found"), std::string::npos) << each;
  });
}

TEST(WebhookCertificates, AreOneSetWhoeverTakesItselfForActive) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "agreed");
    it.api_loop = loop.get_executor();
    co_await it.make_namespace();
    co_await it.make_configuration(1);
    auto one = it.certificates(), two = it.certificates();
    auto story = [&]() -> awaitable<void> {
      co_await one.found();
      co_await two.found();
      co_await it.time.sleep_for(1s);
    };
    co_await app::first_of(app::first_of(one.keep(), two.keep()), story());
    auto stored = co_await it.secret();
    auto held = from_secret(stored);
    EXPECT_EQ(one.serving(), held.serving);
    EXPECT_EQ(two.serving(), held.serving);
    EXPECT_EQ(held.authorities.size(), 1);
    EXPECT_EQ(co_await it.bundle(), held.bundle());
    auto& owner = stored.at("metadata.ownerReferences")->as_array()->front();
    EXPECT_EQ(owner.text("uid"), (co_await it.configuration()).text("metadata.uid"));

    must(co_await it.api.ask({.method = "DELETE", .path = path_of(*resource_of("Secret"), it.ns, "webhook")}));
    co_await app::first_of(one.keep(), it.time.sleep_for(1s));
    EXPECT_EQ(from_secret(co_await it.secret()), held) << "what is served goes on being trusted";
  });
}

TEST(WebhookCertificates, ThatMayNotBeKeptAreReportedOnce) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "not-kept", "nobody");
    it.api_loop = loop.get_executor();
    auto ours = it.certificates();
    co_await app::first_of(ours.keep(), it.time.sleep_for(1s));
    EXPECT_EQ(it.reported.size(), 1);
    EXPECT_NE(it.reported.at(0).find("403"), std::string::npos) << it.reported.at(0);
  });
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
