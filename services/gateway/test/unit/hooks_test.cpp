#include "services/gateway/shell/hooks.hpp"

#include "services/gateway/shell/service.hpp"
#include "services/gateway/shell/settings.hpp"
#include "services/gateway/test/unit/stage.hpp"

/// Hooks in a separate queue, with a bus in memory and virtual time.
namespace kopiur::gateway {
namespace {

/// The hooks that a cluster received. Workloads answer only once `answers` is set.
struct workloads {
  bool answers = false;
  std::map<std::string, int> running, calls;  // by namespace, by run
  std::int64_t timeout_seconds = 0;           // of the last one

  int all_running() const {
    int sum = 0;
    for (auto const& [_, n] : running) sum += n;
    return sum;
  }
};

class workload_cluster final : public away_cluster {
 public:
  workload_cluster(clock& time, std::shared_ptr<workloads> workloads) : away_cluster(time), time_(time), workloads_(std::move(workloads)) {}
  awaitable<outcome<json::value>> create(json::value object) override { co_return object; }
  awaitable<outcome<void>> exec(proto::exec_in_pod command) override {
    running one(workloads_, command.namespace_);
    ++workloads_->calls[command.run];
    workloads_->timeout_seconds = command.timeout_seconds;
    while (!workloads_->answers) co_await time_.sleep_for(1s);
    co_return refuse(answer_code::Unavailable, "It ended with exit code 1.");
  }

 private:
  /// Coroutines may be destroyed after the test's own objects.
  struct running {
    std::shared_ptr<workloads> cluster;
    std::string ns;
    running(std::shared_ptr<workloads> workloads, std::string in) : cluster(std::move(workloads)), ns(std::move(in)) {
      ++cluster->running[ns];
    }
    running(running const&) = delete;
    ~running() { --cluster->running[ns]; }
  };
  clock& time_;
  std::shared_ptr<workloads> workloads_;
};

struct hook_stage : stage {
  std::shared_ptr<workloads> held = std::make_shared<workloads>();
  workloads& cluster = *held;
  hook_stage() {
    end();
    start_again();
  }
  void start_again() {
    start_on([this](testing::process&, clock& time) { return std::make_unique<workload_cluster>(time, held); });
    go(5s);
  }
  void ask(std::string const& ns, std::string const& run, std::int64_t timeout_seconds = 300) {
    proto::gateway_command hook = proto::exec_in_pod{
        .run = run, .namespace_ = ns, .pod_selector = {}, .container = {}, .command = {"freeze"}, .timeout_seconds = timeout_seconds};
    must(net.server().publish({.subject = subjects::command("local", "gateway", "exec-in-pod", run), .body = json::write(hook)}));
  }
  void ask_many(std::string const& ns, int n) {
    for (int i = 0; i < n; ++i) ask(ns, ns + "-" + std::to_string(i));
  }
  std::optional<proto::answer> answer_to(std::string const& run) {
    auto found = last(subjects::answers, subjects::answer("local", "gateway", "exec-in-pod", run));
    return found ? std::optional(*json::read<proto::answer>(found->body)) : std::nullopt;
  }
};

TEST(Hooks, ThatNeverEndKeepNoOtherCommandWaiting) {
  hook_stage stage;
  stage.ask_many("stuck", 400);
  stage.go(1min);
  EXPECT_EQ(stage.cluster.all_running(), static_cast<int>(hooks_at_a_time) / 2);
  EXPECT_EQ(stage.command("1", proto::create_object{manifest("Backup", "b")}).code, answer_code::Ok) << "within two seconds";
}

TEST(Hooks, OfOneNamespaceLeaveHalfOfThePoolToOthers) {
  hook_stage stage;
  stage.ask_many("stuck", 200);
  stage.go(1min);
  stage.ask_many("other", 20);
  stage.go(5s);
  EXPECT_EQ(stage.cluster.running["stuck"], 32);
  EXPECT_EQ(stage.cluster.running["other"], 20);
  stage.ask_many("third", 20);
  stage.go(5s);
  EXPECT_EQ(stage.cluster.all_running(), static_cast<int>(hooks_at_a_time));
}

TEST(Hooks, ThatWaitOutlastAGatewayAndAreEachAnswered) {
  hook_stage stage;
  stage.ask_many("stuck", 300);
  stage.go(1min);
  stage.end();
  stage.cluster.calls.clear();
  stage.start_again();
  stage.cluster.answers = true;
  stage.go(5min);
  for (int i = 0; i < 300; ++i) {
    auto run = "stuck-" + std::to_string(i);
    EXPECT_TRUE(stage.answer_to(run)) << run;
    EXPECT_EQ(stage.cluster.calls[run], 1) << run;
  }
  EXPECT_EQ(stage.must(stage.net.server().info(std::string(subjects::commands))).messages, 0u);
}

TEST(Hooks, AskedForAgainWhileTheyRunAreCalledOnce) {
  hook_stage stage;
  stage.must(stage.net.server().ensure(bus::stream_config{.name = "dead-letters", .subjects = {"dead.>"}}));
  for (int i = 0; i < 20; ++i) stage.ask("home", "r"), stage.go(15s);
  EXPECT_EQ(stage.cluster.calls["r"], 1);
  stage.cluster.answers = true;
  stage.go(1min);
  EXPECT_TRUE(stage.answer_to("r"));
  EXPECT_EQ(stage.cluster.calls["r"], 1);
  EXPECT_EQ(stage.messages("dead-letters"), 0u);
}

/// A bus that has lost its data counts from the start: another command gets the sequence of one that still runs.
TEST(Hooks, KeepNoCommandWaitingThatHasTheirSequenceOnANewBus) {
  hook_stage stage;
  stage.ask("home", "old");
  stage.go(10s);
  EXPECT_EQ(stage.cluster.calls["old"], 1);
  stage.net.lose_all();
  stage.go(1min);
  stage.ask("home", "new");
  stage.go(30s);
  EXPECT_EQ(stage.cluster.calls["new"], 1);
  EXPECT_EQ(stage.cluster.calls["old"], 1);
}

TEST(Hooks, ThatWereAnsweredWhileTheyWaitedAreNotCalled) {
  hook_stage stage;
  stage.publish({.subject = subjects::answer("local", "gateway", "exec-in-pod", "r"), .body = json::write(proto::answer{})});
  proto::gateway_command hook =
      proto::exec_in_pod{.run = "r", .namespace_ = "home", .pod_selector = {}, .container = {}, .command = {"freeze"}};
  stage.publish({.subject = subjects::command("local", subjects::gateway_hooks, "exec-in-pod", "r"), .body = json::write(hook)});
  EXPECT_TRUE(stage.cluster.calls.empty());
  EXPECT_EQ(stage.must(stage.net.server().info(std::string(subjects::commands))).messages, 0u);
}

TEST(Hooks, ThatNobodyPerformedForADayAreDropped) {
  hook_stage stage;
  stage.ask_many("stuck", 40);
  stage.go(10s);
  stage.end();
  stage.go(25h);
  stage.cluster.calls.clear();
  stage.start_again();
  EXPECT_TRUE(stage.cluster.calls.empty());
}

TEST(Hooks, OfMoreThanAnHourAreCutToItAndSaySo) {
  hook_stage stage;
  stage.cluster.answers = true;
  stage.ask("home", "long", 7200);
  stage.go(5s);
  EXPECT_EQ(stage.cluster.timeout_seconds, 3600);
  ASSERT_TRUE(stage.answer_to("long"));
  EXPECT_NE(stage.answer_to("long")->message.find("timeout of 7200 s was cut to the 3600 s"), std::string::npos)
      << stage.answer_to("long")->message;
  stage.ask("home", "hour", 3600);
  stage.go(5s);
  EXPECT_EQ(stage.answer_to("hour")->message, "It ended with exit code 1.");
}

TEST(Hooks, KeepTheHeadersOfWhoAsked) {
  hook_stage stage;
  stage.cluster.answers = true;
  proto::gateway_command hook =
      proto::exec_in_pod{.run = "r", .namespace_ = "home", .pod_selector = {}, .container = {}, .command = {"freeze"}};
  stage.publish({.subject = subjects::command("local", "gateway", "exec-in-pod", "r"),
                 .body = json::write(hook),
                 .head = {{"traceparent", "00-1-2-01"}},
                 .id = "asked.1"});
  auto said = stage.last(subjects::answers, subjects::answer("local", "gateway", "exec-in-pod", "r"));
  ASSERT_TRUE(said);
  EXPECT_EQ(bus::header(said->head, "traceparent"), "00-1-2-01");
  EXPECT_EQ(bus::header(said->head, "command"), "asked.1");
}

/// A cluster with the Service team/db, its pod db-1, and a Service without a selector.
class service_cluster final : public away_cluster {
 public:
  service_cluster(clock& time, hook_policy const* policy, int& secrets_read)
      : away_cluster(time), time_(time), policy_(policy), secrets_read_(secrets_read) {}
  awaitable<outcome<json::value>> read(proto::object_ref object) override {
    if (object.name == "slow") co_await time_.sleep_for(24h);
    for (auto const& each : objects)
      if (key_of(each) == object_key{object.kind, object.namespace_, object.name}) co_return each;
    co_return refuse(answer_code::NotFound, "There is no " + object.kind + " " + object.namespace_ + "/" + object.name + ".");
  }
  awaitable<outcome<std::string>> secret(std::string, std::string, std::string) override {
    ++secrets_read_;
    co_return "hunter2";
  }
  hook_policy const* http_policy() const override { return policy_; }
  awaitable<outcome<json::array>> endpoint_slices(std::string ns, std::string service) override {
    if (ns == "team" && service == "db") co_return json::array{slice};
    co_return json::array();
  }

 private:
  clock& time_;
  hook_policy const* policy_;
  int& secrets_read_;
  std::vector<json::value> const objects{
      parsed_json(
          R"({"kind":"Service","metadata":{"name":"db","namespace":"team"},"spec":{"selector":{"app":"db"},"ports":[{"port":80}]}})"),
      parsed_json(R"({"kind":"Service","metadata":{"name":"out","namespace":"team"},"spec":{"ports":[{"port":80}]}})"),
      parsed_json(R"({"kind":"Pod","metadata":{"name":"db-1","namespace":"team","labels":{"app":"db"}},"spec":{},
          "status":{"podIPs":[{"ip":"10.244.0.5"}],"conditions":[{"type":"Ready","status":"True"}]}})")};
  json::value const slice = parsed_json(R"({"metadata":{"namespace":"team","labels":{"kubernetes.io/service-name":"db",
      "endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io"}},"ports":[{"port":8080}],"endpoints":[
      {"addresses":["10.244.9.9"],"targetRef":{"kind":"Pod","name":"gone"}},
      {"addresses":["169.254.169.254"],"targetRef":{"kind":"Pod","name":"db-1"}},
      {"addresses":["10.244.0.5"],"targetRef":{"kind":"Pod","name":"db-1"}}]})");
};

/// What was sent, as `METHOD URL -> addresses`, and the names that were resolved.
struct http_stage : stage {
  std::optional<hook_policy> policy = hook_policy{};
  std::map<std::string, std::vector<std::string>> names;
  std::vector<std::string> sent, asked;
  std::vector<http::request> requests;
  int secrets_read = 0;

  http_stage() {
    call = [this](clock&, http::request what) -> awaitable<std::expected<http::response, std::string>> {
      auto line = what.method + " " + what.url + " ->" + (what.connect_to ? "" : " anywhere");
      for (auto const& each : what.connect_to.value_or(std::vector<http::endpoint>())) line += " " + each.ip + "#" + each.port;
      sent.push_back(std::move(line)), requests.push_back(std::move(what));
      co_return http::response{.status = 204, .body = {}};
    };
    resolve = [this](std::string name) -> awaitable<std::expected<std::vector<std::string>, std::string>> {
      asked.push_back(name);
      if (names.contains(name)) co_return names[name];
      co_return std::unexpected("The name " + name + " cannot be resolved: Host not found");
    };
    start_again();
  }
  void start_again() {
    end();
    start_on([this](testing::process&, clock& time) {
      return std::make_unique<service_cluster>(time, policy ? &*policy : nullptr, secrets_read);
    });
    go(5s);
  }
  /// The sentence of the refusal; empty when it was sent.
  std::string hook(std::string const& url, std::vector<proto::hook_header> headers = {}) {
    static int runs = 0;
    auto said =
        command(std::to_string(++runs), proto::call_http{.run = "r", .namespace_ = "team", .url = url, .headers = std::move(headers)});
    return said.code == answer_code::Ok ? "" : said.message;
  }
};

using lines = std::vector<std::string>;

TEST(HttpHooks, GoToTheProvenPodOfTheirService) {
  http_stage stage;
  EXPECT_EQ(stage.hook("http://db/freeze"), "");
  EXPECT_EQ(stage.hook("http://db.team.svc/freeze"), "");
  EXPECT_EQ(stage.sent, (lines{"POST http://db/freeze -> 10.244.0.5#8080", "POST http://db.team.svc/freeze -> 10.244.0.5#8080"}));
  EXPECT_EQ(stage.asked, lines{}) << "no name is asked of the DNS";
}

TEST(HttpHooks, GoToTheAddressesThatWereChecked) {
  http_stage stage;
  stage.names["hooks.example.org."] = {"1.1.1.1", "2606:4700::1111"};
  EXPECT_EQ(stage.hook("https://hooks.example.org/x"), "");
  EXPECT_EQ(stage.sent, lines{"POST https://hooks.example.org/x -> 1.1.1.1#443 2606:4700::1111#443"});
  EXPECT_EQ(stage.asked, lines{"hooks.example.org."}) << "once, and absolute";
}

TEST(HttpHooks, ThatAreRefusedSendNothingAndReadNoSecret) {
  http_stage stage;
  proto::hook_header const secret{.name = "X-Token", .value = {}, .value_from = proto::value_source{{.name = "s", .key = "k"}}};
  stage.names["inside.example.org."] = {"1.1.1.1", "10.0.0.1"};
  for (auto* url :
       {"http://169.254.169.254/latest", "http://127.0.0.1:8222/", "http://[::1]/", "http://db.other.svc/", "http://kubernetes.default/",
        "http://out/", "http://db:8080/", "http://nothing/", "https://inside.example.org/", "http://0x7f000001/"})
    EXPECT_NE(stage.hook(url, {secret}), "") << url;
  EXPECT_EQ(stage.sent, lines{});
  EXPECT_EQ(stage.secrets_read, 0);
  EXPECT_EQ(stage.hook("http://db/", {secret}), "");
  EXPECT_EQ(stage.secrets_read, 1);
}

TEST(HttpHooks, GoWhereThePolicyAllows) {
  http_stage stage;
  stage.policy = parse_hook_policy({"169.254.0.0/16:80", "db.other.svc"}, "cluster.local").value();
  stage.start_again();
  stage.names["db.other.svc.cluster.local."] = {"10.96.0.9"};
  EXPECT_EQ(stage.hook("http://169.254.169.254/"), "");
  EXPECT_EQ(stage.hook("http://db.other.svc/"), "");
  EXPECT_NE(stage.hook("http://169.254.169.254:81/"), "");
  EXPECT_EQ(stage.sent, (lines{"POST http://169.254.169.254/ -> 169.254.169.254#80", "POST http://db.other.svc/ -> 10.96.0.9#80"}));
}

TEST(HttpHooks, OfABadPolicyEndTheGatewayAtItsStart) {
  http_stage stage;
  ::setenv("KOPIUR_HOOKS_HTTP_ALLOW", "10.0.0.0/8,10.0.0.1/8", 1);
  auto options = options_of({.cluster = "local", .adapter = "kubernetes"});
  ::unsetenv("KOPIUR_HOOKS_HTTP_ALLOW");
  EXPECT_EQ(options.kubernetes->hooks_http_allow, (lines{"10.0.0.0/8", "10.0.0.1/8"}));
  stage.end();
  stage.gateway = stage.home.start("gateway", [&](testing::process& self) -> awaitable<void> {
    testing::sim_clock time(self);
    testing::memory_port bus(self, stage.net);
    service one(bus, time, self.loop().get_executor(), options);
    co_await one.serve();
  });
  stage.go(1s);
  EXPECT_NE(stage.ended.find("\"10.0.0.1/8\" has bits set beyond its prefix: write 10.0.0.0/8."), std::string::npos) << stage.ended;
  EXPECT_TRUE(options_of({.cluster = "local", .adapter = "kubernetes"}).kubernetes->hooks_http_allow.empty());
}

TEST(HttpHooks, OfAHostGoAnywhere) {
  http_stage stage;
  stage.policy.reset();
  stage.start_again();
  EXPECT_EQ(stage.hook("http://127.0.0.1:8222/"), "");
  EXPECT_EQ(stage.sent, lines{"POST http://127.0.0.1:8222/ -> anywhere"});
}

TEST(HttpHooks, SetNoHeaderOfTheConnection) {
  http_stage stage;
  for (bool guarded : {true, false}) {
    if (!guarded) stage.policy.reset(), stage.start_again();
    for (auto* name : {"Host", "host", "Connection", "Keep-Alive", "Proxy-Authorization", "Proxy-Connection", "TE", "Trailer",
                       "Transfer-Encoding", "Upgrade", "Content-Length"})
      EXPECT_NE(stage.hook("http://db/", {{.name = name, .value = "x", .value_from = {}}}).find(name), std::string::npos) << name;
  }
  EXPECT_EQ(stage.sent, lines{});
  EXPECT_EQ(stage.hook("http://db/", {{.name = "X-Host", .value = "x", .value_from = {}}}), "");
  ASSERT_EQ(stage.requests.size(), 1u);
  EXPECT_EQ(stage.requests.front().headers.front().first, "X-Host");
}

TEST(HttpHooks, WhoseServiceIsNotReadInTimeAreRefused) {
  http_stage stage;
  proto::gateway_command hook =
      proto::call_http{.run = "r", .namespace_ = "team", .url = "http://slow/", .headers = {}, .timeout_seconds = 20};
  stage.publish({.subject = subjects::command("local", "gateway", "call-http", "slow"), .body = json::write(hook)});
  stage.go(15s);
  EXPECT_FALSE(stage.last(subjects::answers, subjects::answer("local", "gateway", "call-http", "slow")));
  stage.go(10s);
  auto said = stage.last(subjects::answers, subjects::answer("local", "gateway", "call-http", "slow"));
  ASSERT_TRUE(said);
  EXPECT_NE(json::read<proto::answer>(said->body)->message.find("no answer within 20s"), std::string::npos) << said->body;
}

TEST(Hooks, OnlyAreTakenFromTheirQueue) {
  hook_stage stage;
  stage.must(stage.net.server().ensure(bus::stream_config{.name = "dead-letters", .subjects = {"dead.>"}}));
  stage.publish({.subject = subjects::command("local", subjects::gateway_hooks, "create-object", "x"),
                 .body = json::write(proto::gateway_command(proto::create_object{manifest("Backup", "b")}))});
  EXPECT_EQ(stage.messages("dead-letters"), 1u);
  EXPECT_FALSE(stage.last(subjects::answers, subjects::answer("local", "gateway", "create-object", "x")));
}

}  // namespace
}  // namespace kopiur::gateway
