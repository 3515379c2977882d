#include "services/gateway/shell/hooks.hpp"

#include "services/gateway/test/unit/stage.hpp"

/// Hooks in a queue of their own, on the bus in memory and virtual time.
namespace kopiur::gateway {
namespace {

/// What a cluster saw of hooks. Workloads answer only once `answers` is set.
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
  workload_cluster(clock& time, std::shared_ptr<workloads> at) : away_cluster(time), time_(time), at_(std::move(at)) {}
  awaitable<outcome<json::value>> create(json::value object) override { co_return object; }
  awaitable<outcome<void>> exec(proto::exec_in_pod command) override {
    running one(at_, command.namespace_);
    ++at_->calls[command.run];
    at_->timeout_seconds = command.timeout_seconds;
    while (!at_->answers) co_await time_.sleep_for(1s);
    co_return refuse(answer_code::Unavailable, "It ended with exit code 1.");
  }

 private:
  /// Coroutines may be torn down after the test's own objects.
  struct running {
    std::shared_ptr<workloads> at;
    std::string ns;
    running(std::shared_ptr<workloads> of, std::string in) : at(std::move(of)), ns(std::move(in)) { ++at->running[ns]; }
    running(running const&) = delete;
    ~running() { --at->running[ns]; }
  };
  clock& time_;
  std::shared_ptr<workloads> at_;
};

struct hook_stage : stage {
  std::shared_ptr<workloads> held = std::make_shared<workloads>();
  workloads& at = *held;
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
  hook_stage on;
  on.ask_many("stuck", 400);
  on.go(1min);
  EXPECT_EQ(on.at.all_running(), static_cast<int>(hook_pool::of_a_namespace));
  EXPECT_EQ(on.command("1", proto::create_object{manifest("Backup", "b")}).code, answer_code::Ok) << "within two seconds";
}

TEST(Hooks, OfOneNamespaceLeaveHalfOfThePoolToOthers) {
  hook_stage on;
  on.ask_many("stuck", 200);
  on.go(1min);
  on.ask_many("other", 20);
  on.go(5s);
  EXPECT_EQ(on.at.running["stuck"], 32);
  EXPECT_EQ(on.at.running["other"], 20);
  on.ask_many("third", 20);
  on.go(5s);
  EXPECT_EQ(on.at.all_running(), static_cast<int>(hook_pool::in_all));
}

TEST(Hooks, ThatWaitOutlastAGatewayAndAreEachAnswered) {
  hook_stage on;
  on.ask_many("stuck", 300);
  on.go(1min);
  on.end();
  on.at.calls.clear();
  on.start_again();
  on.at.answers = true;
  on.go(5min);
  for (int i = 0; i < 300; ++i) {
    auto run = "stuck-" + std::to_string(i);
    EXPECT_TRUE(on.answer_to(run)) << run;
    EXPECT_EQ(on.at.calls[run], 1) << run;
  }
  EXPECT_EQ(on.must(on.net.server().info(std::string(subjects::commands))).messages, 0u);
}

TEST(Hooks, AskedForAgainWhileTheyRunAreCalledOnce) {
  hook_stage on;
  on.must(on.net.server().ensure(bus::stream_config{.name = "dead-letters", .subjects = {"dead.>"}}));
  for (int i = 0; i < 20; ++i) on.ask("home", "r"), on.go(15s);
  EXPECT_EQ(on.at.calls["r"], 1);
  on.at.answers = true;
  on.go(1min);
  EXPECT_TRUE(on.answer_to("r"));
  EXPECT_EQ(on.at.calls["r"], 1);
  EXPECT_EQ(on.messages("dead-letters"), 0u);
}

TEST(Hooks, ThatWereAnsweredWhileTheyWaitedAreNotCalled) {
  hook_stage on;
  on.publish({.subject = subjects::answer("local", "gateway", "exec-in-pod", "r"), .body = json::write(proto::answer{})});
  proto::gateway_command hook =
      proto::exec_in_pod{.run = "r", .namespace_ = "home", .pod_selector = {}, .container = {}, .command = {"freeze"}};
  on.publish({.subject = subjects::command("local", subjects::gateway_hooks, "exec-in-pod", "r"), .body = json::write(hook)});
  EXPECT_TRUE(on.at.calls.empty());
  EXPECT_EQ(on.must(on.net.server().info(std::string(subjects::commands))).messages, 0u);
}

TEST(Hooks, ThatNobodyPerformedForADayAreDropped) {
  hook_stage on;
  on.ask_many("stuck", 40);
  on.go(10s);
  on.end();
  on.go(25h);
  on.at.calls.clear();
  on.start_again();
  EXPECT_TRUE(on.at.calls.empty());
}

TEST(Hooks, OfMoreThanAnHourAreCutToItAndSaySo) {
  hook_stage on;
  on.at.answers = true;
  on.ask("home", "long", 7200);
  on.go(5s);
  EXPECT_EQ(on.at.timeout_seconds, 3600);
  ASSERT_TRUE(on.answer_to("long"));
  EXPECT_NE(on.answer_to("long")->message.find("timeout of 7200 s was cut to the 3600 s"), std::string::npos)
      << on.answer_to("long")->message;
  on.ask("home", "hour", 3600);
  on.go(5s);
  EXPECT_EQ(on.answer_to("hour")->message, "It ended with exit code 1.");
}

TEST(Hooks, KeepTheHeadersOfWhoAsked) {
  hook_stage on;
  on.at.answers = true;
  proto::gateway_command hook =
      proto::exec_in_pod{.run = "r", .namespace_ = "home", .pod_selector = {}, .container = {}, .command = {"freeze"}};
  on.publish({.subject = subjects::command("local", "gateway", "exec-in-pod", "r"),
              .body = json::write(hook),
              .head = {{"traceparent", "00-1-2-01"}},
              .id = "asked.1"});
  auto said = on.last(subjects::answers, subjects::answer("local", "gateway", "exec-in-pod", "r"));
  ASSERT_TRUE(said);
  EXPECT_EQ(bus::header(said->head, "traceparent"), "00-1-2-01");
  EXPECT_EQ(bus::header(said->head, "command"), "asked.1");
}

TEST(Hooks, OnlyAreTakenFromTheirQueue) {
  hook_stage on;
  on.must(on.net.server().ensure(bus::stream_config{.name = "dead-letters", .subjects = {"dead.>"}}));
  on.publish({.subject = subjects::command("local", subjects::gateway_hooks, "create-object", "x"),
              .body = json::write(proto::gateway_command(proto::create_object{manifest("Backup", "b")}))});
  EXPECT_EQ(on.messages("dead-letters"), 1u);
  EXPECT_FALSE(on.last(subjects::answers, subjects::answer("local", "gateway", "create-object", "x")));
}

}  // namespace
}  // namespace kopiur::gateway
