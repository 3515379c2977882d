#include <boost/asio.hpp>

#include "common/testing/memory_port.hpp"
#include "proto/codec.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/adapters/local/local_cluster.hpp"
#include "services/gateway/shell/serve.hpp"
#include "services/gateway/test/folder.hpp"

/// The whole service over a folder, on the bus in memory and virtual time.
namespace kopiur::gateway {
namespace {

using namespace std::chrono_literals;
namespace subjects = proto::subjects;
using proto::answer_code;

/// Answers nothing.
class away_cluster final : public cluster {
 public:
  explicit away_cluster(clock& time) : time_(time) {}
  awaitable<void> run() override { co_await time_.sleep_for(24h); }
  std::unique_ptr<cluster_feed> follow() override { return std::make_unique<silence>(time_); }
  awaitable<outcome<json::value>> read(proto::object_ref) override { return fail<outcome<json::value>>(); }
  awaitable<outcome<json::value>> create(json::value) override { return fail<outcome<json::value>>(); }
  awaitable<outcome<json::value>> apply(json::value) override { return fail<outcome<json::value>>(); }
  awaitable<outcome<json::value>> patch(proto::patch_metadata) override { return fail<outcome<json::value>>(); }
  awaitable<outcome<json::value>> remove(proto::delete_object) override { return fail<outcome<json::value>>(); }
  awaitable<outcome<json::value>> write_status(json::value, json::value) override { return fail<outcome<json::value>>(); }
  awaitable<outcome<std::string>> create_job(proto::create_job) override { return fail<outcome<std::string>>(); }
  awaitable<outcome<void>> delete_job(proto::delete_job) override { return fail<outcome<void>>(); }
  awaitable<outcome<std::string>> secret(std::string, std::string, std::string) override { return fail<outcome<std::string>>(); }
  awaitable<outcome<void>> exec(proto::exec_in_pod) override { return fail<outcome<void>>(); }
  awaitable<outcome<void>> run_job(proto::run_user_job) override { return fail<outcome<void>>(); }
  awaitable<outcome<void>> record_event(proto::record_event) override { return fail<outcome<void>>(); }
  awaitable<std::optional<std::string>> note(std::string) override { co_return std::nullopt; }
  awaitable<void> keep_note(std::string, std::string) override { co_return; }

 private:
  struct silence final : cluster_feed {
    explicit silence(clock& with) : time(with) {}
    awaitable<cluster_change> next() override {
      for (;;) co_await time.sleep_for(24h);
    }
    clock& time;
  };
  template <class T>
  awaitable<T> fail() {
    co_await time_.sleep_for(5s);
    throw std::runtime_error("The cluster is away.");
  }
  clock& time_;
};

struct stage {
  test_folder data;
  testing::world home;
  testing::bus_net net{home};
  std::shared_ptr<testing::process> gateway;
  std::string ended;

  stage() {
    for (auto const& each : proto::streams(1)) must(net.server().ensure(each));
    for (auto const& each : proto::consumers("local")) must(net.server().ensure(each));
    home.on_end([this](std::string const&, std::string const& why) { ended = why; });
    start();
  }
  template <class T>
  T must(bus::result<T> done) {
    if (!done) throw std::runtime_error(done.error().text);
    if constexpr (!std::is_void_v<T>) return std::move(*done);
  }
  void start() {
    gateway = home.start("gateway", [this](testing::process& self) -> awaitable<void> {
      testing::sim_clock time(self);
      testing::memory_port bus(self, net);
      local::local_cluster world(self.loop().get_executor(), time, {.data = data.path(), .manifests = {}, .mover = {}, .check = nullptr});
      co_await serve({bus, time, world, "local"}, {});
    });
    go(5s);
  }
  /// Another one, of a cluster that is away.
  void go_away() {
    home.kill(*gateway);
    go(1s);
    ended.clear();
    gateway = home.start("gateway", [this](testing::process& self) -> awaitable<void> {
      testing::sim_clock time(self);
      testing::memory_port bus(self, net);
      away_cluster world(time);
      co_await serve({bus, time, world, "local"}, {});
    });
  }
  /// kill -9, then a new one.
  void restart() {
    home.kill(*gateway);
    go(1s);
    ended.clear();
    start();
  }
  void go(duration length) {
    home.run_until(home.now() + length);
    if (!ended.empty() && gateway->alive()) throw std::runtime_error(ended);
  }
  std::optional<bus::stored> last(std::string_view stream, std::string const& subject) {
    return must(net.server().last(std::string(stream), subject));
  }
  bus::receipt publish(bus::publication one) {
    auto done = must(net.server().publish(one));
    go(2s);
    return done;
  }
  /// Sends a command and returns its answer.
  proto::answer command(std::string const& key, proto::gateway_command what, std::string id = "") {
    auto verb = std::visit([](auto const& one) { return std::string(one.member); }, what);
    publish({.subject = subjects::command("local", "gateway", verb, key), .body = json::write(what), .id = std::move(id)});
    auto said = last(subjects::answers, subjects::answer("local", "gateway", verb, key));
    if (!said) throw std::runtime_error("no answer to " + verb + "; " + ended);
    return *json::read<proto::answer>(said->body);
  }
  std::optional<json::value> mirrored(std::string_view kind, std::string_view name) {
    auto found = last(subjects::resources, subjects::resource("local", kind, "home", name));
    if (!found || found->body.empty()) return std::nullopt;
    return parsed_json(found->body);
  }
  std::uint64_t messages(std::string_view stream) { return must(net.server().info(std::string(stream))).last_sequence; }
  void claim(std::string const& service, std::string const& uid, std::string const& status) {
    proto::status_claim one{.uid = uid, .made_from = 1, .observed_generation = 1, .status = parsed_json(status), .conditions = {}};
    must(net.server().publish({.subject = subjects::status_fragment("local", "Backup", "home", "b", service), .body = json::write(one)}));
  }
};

TEST(Mirror, SaysWhenItIsCompleteAndFollows) {
  stage on;
  EXPECT_TRUE(on.last(subjects::resources, subjects::resources_listed("local")));
  auto said = on.command("1", proto::create_object{manifest("Backup", "b")});
  EXPECT_EQ(said.code, answer_code::Ok) << said.message;
  auto message = on.last(subjects::resources, subjects::resource("local", "Backup", "home", "b"));
  ASSERT_TRUE(message);
  EXPECT_EQ(bus::header(message->head, "uid"), said.uid);
  EXPECT_EQ(bus::header(message->head, "resource-version"), said.resource_version);
  EXPECT_EQ(bus::header(message->head, "generation"), "1");
}

TEST(Mirror, AfterARestartTellsTheDifferenceAlone) {
  stage on;
  on.command("1", proto::create_object{manifest("Backup", "a")});
  on.command("2", proto::create_object{manifest("Backup", "b")});
  on.home.kill(*on.gateway);
  on.go(1s);
  std::filesystem::remove(on.data / "objects/Backup/home/b.json");  // as if the tombstone had not gone out before the end
  auto before = on.messages(subjects::resources);
  on.ended.clear();
  on.start();
  EXPECT_TRUE(on.mirrored("Backup", "a"));
  EXPECT_FALSE(on.mirrored("Backup", "b"));
  EXPECT_EQ(on.messages(subjects::resources), before + 2) << "one tombstone and the marker";
}

TEST(Mirror, ComesBackAfterTheBusLostEverything) {
  stage on;
  on.command("1", proto::create_object{manifest("Backup", "a")});
  on.go(2min);
  on.net.lose_all();
  on.go(1min);
  EXPECT_TRUE(on.mirrored("Backup", "a"));
  EXPECT_TRUE(on.last(subjects::resources, subjects::resources_listed("local")));
}

TEST(Commands, TwiceIsOnce) {
  stage on;
  auto backup = manifest("Backup", "b");
  backup.find("metadata")->set("labels", json::object{{ours("run"), "r"}});
  auto first = on.command("r", proto::create_object{backup}, "m1");
  auto second = on.command("r", proto::create_object{backup}, "m2");
  EXPECT_EQ(first.uid, second.uid);
  EXPECT_EQ(second.code, answer_code::Ok);
  on.restart();
  EXPECT_EQ(on.command("r", proto::create_object{backup}, "m3").uid, first.uid);
}

TEST(Commands, AHookWhoseAnswerIsStoredIsNotCalledAgain) {
  stage on;
  proto::answer recorded{.code = answer_code::Ok, .message = "as it was", .uid = {}, .resource_version = {}, .object = {}};
  on.publish({.subject = subjects::answer("local", "gateway", "call-http", "run-1-before-0"), .body = json::write(recorded)});
  proto::call_http call{.run = "run-1", .namespace_ = "home", .url = "http://127.0.0.1:1/nobody-listens", .body = {}, .headers = {}};
  auto said = on.command("run-1-before-0", call);
  EXPECT_EQ(said.code, answer_code::Ok);
  EXPECT_EQ(said.message, "as it was");
}

TEST(Commands, PoisonIsADeadLetterAndTheNextOneIsHeard) {
  stage on;
  on.must(on.net.server().ensure(bus::stream_config{.name = "dead-letters", .subjects = {"dead.>"}}));
  on.publish({.subject = subjects::command("local", "gateway", "create-object", "x"), .body = "{no json"});
  on.publish({.subject = subjects::command("local", "gateway", "dance", "y"), .body = R"({"dance":{}})"});
  EXPECT_EQ(on.messages("dead-letters"), 2u);
  on.publish({.subject = subjects::request("local", "home", "backup"), .body = "{no json"});
  EXPECT_EQ(on.messages("dead-letters"), 3u) << "a request that cannot be read is refused, and kept";
  EXPECT_EQ(on.command("1", proto::create_object{manifest("Backup", "b")}).code, answer_code::Ok);
}

/// A view has no delivery to reject, and reads the same again at each start.
TEST(Status, AShareThatIsNoneIsADeadLetterOnce) {
  stage on;
  on.must(on.net.server().ensure(bus::stream_config{.name = "dead-letters", .subjects = {"dead.>"}}));
  auto uid = on.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  auto subject = subjects::status_fragment("local", "Backup", "home", "b", "a");
  on.publish({.subject = subject, .body = "{no json"});
  EXPECT_EQ(on.messages("dead-letters"), 1u);
  EXPECT_EQ(on.last(subjects::status, subject)->body, "") << "it would be buried by the next gateway, too";
  on.restart();
  on.go(5min);
  EXPECT_EQ(on.messages("dead-letters"), 1u);
  on.claim("a", uid, R"({"phase":"Pending"})");
  on.go(2s);
  EXPECT_EQ(on.mirrored("Backup", "b")->text("status.phase"), "Pending") << "what comes after it is heard";
}

TEST(Commands, NeverTakeOrGiveASecret) {
  stage on;
  auto secret = parsed_json(
      R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"home","uid":"u","resourceVersion":"1"},"stringData":{"k":"hunter2"}})");
  EXPECT_EQ(on.command("1", proto::apply_object{secret}).code, answer_code::Forbidden);
  on.home.kill(*on.gateway);
  on.go(1s);
  secret.set("data", json::object{{"k", "aHVudGVyMg=="}});
  secret.erase("stringData");
  on.data.write("objects/Secret/home/s.json", json::dump(secret));
  on.ended.clear();
  on.start();
  auto said = on.command("2", proto::read_object{{"Secret", "home", "s", ""}});
  ASSERT_TRUE(said.object);
  EXPECT_EQ(json::dump(*said.object).find("aHVudGVyMg"), std::string::npos);
  ASSERT_TRUE(on.mirrored("Secret", "s"));
  EXPECT_EQ(json::dump(*on.mirrored("Secret", "s")).find("aHVudGVyMg"), std::string::npos);
}

TEST(Commands, DeleteWaitsForFinalizersThenTellsATombstone) {
  stage on;
  auto uid = on.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  proto::object_ref ref{"Backup", "home", "b", uid};
  on.command("2", proto::patch_metadata{ref, {"f"}, {}, {}, {}});
  on.command("3", proto::delete_object{ref, {}});
  ASSERT_TRUE(on.mirrored("Backup", "b"));
  EXPECT_FALSE(on.mirrored("Backup", "b")->text("metadata.deletionTimestamp").empty());
  on.command("4", proto::patch_metadata{ref, {}, {"f"}, {}, {}});
  EXPECT_FALSE(on.mirrored("Backup", "b"));
  EXPECT_EQ(on.command("5", proto::delete_object{ref, {}}).code, answer_code::Ok) << "gone is success";
  EXPECT_EQ(on.command("6", proto::read_object{ref}).code, answer_code::NotFound);
}

TEST(Commands, AJobWithoutItsLeaseIsAConflict) {
  stage on;
  proto::create_job job{.run = "r",
                        .attempt = 1,
                        .namespace_ = "home",
                        .serves = {},
                        .work = {},
                        .secrets = {},
                        .volumes = {},
                        .leases = {{"repo/x", 7}},
                        .pod = {}};
  EXPECT_EQ(on.command("r-1", job).code, answer_code::Conflict) << "there is no such lease";
  auto hold = [&](std::uint64_t fence, instant until) {
    proto::lease_state state{.key = "repo/x", .holders = {{"local", "r", proto::lease_mode::Exclusive, until, fence}}, .waiters = {}};
    on.must(on.net.server().publish({.subject = subjects::lease("repo/x"), .body = json::write(state)}));
  };
  hold(6, on.home.wall() + 30s);
  EXPECT_EQ(on.command("r-1", job).code, answer_code::Conflict) << "another fence";
  hold(7, on.home.wall() - 1s);
  EXPECT_EQ(on.command("r-1", job).code, answer_code::Conflict) << "expired";
  hold(7, on.home.wall() + 30s);
  auto said = on.command("r-1", job);
  EXPECT_EQ(said.code, answer_code::Ok) << said.message;
  EXPECT_FALSE(said.uid.empty());
}

TEST(Status, AHundredClaimsInASecondAreAtMostTwoWrites) {
  stage on;
  auto uid = on.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  auto before = on.messages(subjects::resources);
  for (int i = 1; i <= 100; ++i) {
    on.claim("mover-orchestration", uid, R"({"progress":{"percent":)" + std::to_string(i) + "}}");
    on.go(10ms);
  }
  on.go(2s);
  EXPECT_EQ(*on.mirrored("Backup", "b")->at("status.progress.percent")->as_int(), 100);
  EXPECT_LE(on.messages(subjects::resources) - before, 2u);
}

TEST(Status, IsWrittenAtOnceAndOnlyWhenItChanges) {
  stage on;
  auto uid = on.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  on.claim("a", uid, R"({"phase":"Pending"})");
  on.go(300ms);
  EXPECT_EQ(on.mirrored("Backup", "b")->text("status.phase"), "Pending");
  auto before = on.messages(subjects::resources);
  on.claim("a", uid, R"({"phase":"Pending"})");
  on.go(5s);
  on.restart();
  on.go(60s);
  EXPECT_EQ(on.messages(subjects::resources), before + 1) << "the marker of the restart alone";
}

/// A run's Job waits for its receipt, and a user for another phase, also where another status was written a moment ago.
TEST(Status, NewsAreWrittenWithoutRest) {
  stage on;
  auto uid = on.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  auto before = on.messages(subjects::resources);
  on.claim("a", uid, R"({"conditions":[]})");
  on.go(10ms);
  on.claim("a", uid, R"({"phase":"Running","execution":{"stage":"Prepared"}})");
  on.go(20ms);
  EXPECT_EQ(on.mirrored("Backup", "b")->text("status.execution.stage"), "Prepared");
  EXPECT_EQ(on.messages(subjects::resources), before + 1) << "what comes together is one write";
  on.claim("a", uid, R"({"phase":"Running","execution":{"stage":"Committed"}})");
  on.go(20ms);
  EXPECT_EQ(on.mirrored("Backup", "b")->text("status.execution.stage"), "Committed");
  on.claim("a", uid, R"({"phase":"Running","execution":{"stage":"Committed"},"progress":{"percent":7}})");
  on.go(50ms);
  EXPECT_FALSE(on.mirrored("Backup", "b")->at("status.progress.percent")) << "what is no news rests";
  on.claim("a", uid, R"({"phase":"Deleting","execution":{"stage":"Committed"},"progress":{"percent":7}})");
  on.go(50ms);
  EXPECT_EQ(on.mirrored("Backup", "b")->text("status.phase"), "Deleting");
}

TEST(Status, OfAnObjectThatIsGoneLeavesTheStream) {
  stage on;
  auto uid = on.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  on.claim("a", uid, R"({"phase":"Pending"})");
  on.go(2s);
  on.command("2", proto::delete_object{{"Backup", "home", "b", uid}, {}});
  auto claim = on.last(subjects::status, subjects::status_fragment("local", "Backup", "home", "b", "a"));
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->body, "");
  auto again = on.command("3", proto::create_object{manifest("Backup", "b")}).uid;
  on.claim("a", uid, R"({"phase":"Succeeded"})");
  on.go(2s);
  EXPECT_EQ(on.mirrored("Backup", "b")->find("status"), nullptr) << "a claim for " << uid << " is none for " << again;
}

TEST(Requests, BecomeObjectsOrRefusalsWithinASecond) {
  stage on;
  on.command("1", proto::create_object{manifest("BackupConfig", "photos")});
  auto ask = [&](std::string verb, std::string body) {
    on.must(on.net.server().publish({.subject = subjects::request("local", "home", verb), .body = body}));
    on.go(1s);
  };
  auto said = [&](std::string id) {
    auto found = on.last(subjects::answers, subjects::answer("local", "gateway", "request", id));
    return found ? parsed_json(found->body) : json::value();
  };
  ask("backup", R"({"config":"photos","id":"one"})");
  ASSERT_TRUE(*said("one").find("accepted")->as_bool()) << said("one").text("message");
  auto name = std::string(said("one").text("name"));
  ASSERT_TRUE(on.mirrored("Backup", name));
  auto uid = std::string(on.mirrored("Backup", name)->text("metadata.uid"));
  ask("backup", R"({"config":"photos","id":"one"})");
  EXPECT_EQ(on.mirrored("Backup", name)->text("metadata.uid"), uid) << "a repeated id is the same object";
  ask("backup", R"({"config":"music","id":"two"})");
  EXPECT_FALSE(*said("two").find("accepted")->as_bool());
  EXPECT_NE(said("two").text("message").find("music"), std::string_view::npos);
  ask("restore", R"({"spec":{},"id":"three"})");
  EXPECT_FALSE(*said("three").find("accepted")->as_bool());
  ask("cancel", R"({"name":")" + name + R"(","id":"four"})");
  EXPECT_TRUE(*said("four").find("accepted")->as_bool());
  EXPECT_FALSE(annotation(*on.mirrored("Backup", name), ours("cancel-run")).empty());
}

TEST(Requests, OutlastAClusterThatIsAway) {
  stage on;
  on.command("1", proto::create_object{manifest("BackupConfig", "photos")});
  on.go_away();
  auto answer_to = [&](std::string id) { return on.last(subjects::answers, subjects::answer("local", "gateway", "request", id)); };
  auto ask = [&](std::string id) {
    on.must(on.net.server().publish(
        {.subject = subjects::request("local", "home", "backup"), .body = R"({"config":"photos","id":")" + id + R"("})"}));
  };
  ask("patient");
  on.go(9min);
  EXPECT_FALSE(answer_to("patient"));
  on.restart();
  on.go(10min);
  ASSERT_TRUE(answer_to("patient"));
  EXPECT_TRUE(*parsed_json(answer_to("patient")->body).find("accepted")->as_bool());

  on.go_away();
  ask("forlorn");
  on.go(25min);
  ASSERT_TRUE(answer_to("forlorn")) << "who asked hears of it when it is given up";
  auto said = parsed_json(answer_to("forlorn")->body);
  EXPECT_FALSE(*said.find("accepted")->as_bool());
  EXPECT_NE(said.text("message").find("send it again with the same id"), std::string_view::npos) << said.text("message");
}

TEST(Quiet, MeansNoWrites) {
  stage on;
  for (int i = 0; i < 20; ++i) on.command(std::to_string(i), proto::create_object{manifest("Backup", "b" + std::to_string(i))});
  on.go(2min);
  std::map<std::string, std::uint64_t> before;
  for (auto const& each : proto::streams(1)) before[each.name] = on.messages(each.name);
  on.go(60s);
  for (auto const& [stream, last] : before) EXPECT_EQ(on.messages(stream), last) << stream;
}

}  // namespace
}  // namespace kopiur::gateway
