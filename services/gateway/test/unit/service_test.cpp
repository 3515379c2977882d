#include "common/app/system_clock.hpp"
#include "services/gateway/test/unit/stage.hpp"

/// The whole service over a folder.
namespace kopiur::gateway {
namespace {

TEST(Mirror, SaysWhenItIsCompleteAndFollows) {
  stage stage;
  EXPECT_TRUE(stage.last(subjects::resources, subjects::resources_listed("local")));
  auto said = stage.command("1", proto::create_object{manifest("Backup", "b")});
  EXPECT_EQ(said.code, answer_code::Ok) << said.message;
  auto message = stage.last(subjects::resources, subjects::resource("local", "Backup", "home", "b"));
  ASSERT_TRUE(message);
  EXPECT_EQ(bus::header(message->head, "uid"), said.uid);
  EXPECT_EQ(bus::header(message->head, "resource-version"), said.resource_version);
  EXPECT_EQ(bus::header(message->head, "generation"), "1");
}

TEST(Mirror, AfterARestartTellsTheDifferenceAlone) {
  stage stage;
  stage.command("1", proto::create_object{manifest("Backup", "a")});
  stage.command("2", proto::create_object{manifest("Backup", "b")});
  stage.end();
  std::filesystem::remove(stage.data / "objects/Backup/home/b.json");  // as if its tombstone had not been published before the end
  auto before = stage.messages(subjects::resources);
  stage.start();
  EXPECT_TRUE(stage.mirrored("Backup", "a"));
  EXPECT_FALSE(stage.mirrored("Backup", "b"));
  EXPECT_EQ(stage.messages(subjects::resources), before + 2) << "one tombstone and the marker";
}

/// Simulation, seed 20476: a deposed gateway must not publish a Job after another gateway published its tombstone. A run would wait forever
/// for a Job that does not exist.
TEST(Mirror, AFormerGatewayTellsNoGhosts) {
  remote_stage stage;
  ASSERT_TRUE(stage.mirrored("Backup", "b"));
  auto gone = tombstone("local", {"Backup", "home", "b", "u1"}, stage.home.wall());
  stage.publish({.subject = gone.subject, .body = "", .head = gone.headers});
  stage.remote.write("phase", "Running");
  stage.remote.tell();  // an earlier state, late
  stage.go(1min);
  EXPECT_FALSE(stage.mirrored("Backup", "b"));
}

TEST(Mirror, ARecreatedObjectReplacesTheTombstone) {
  stage stage;
  for (int i = 0; i < 3; ++i) {
    auto uid = stage.command("c" + std::to_string(i), proto::create_object{manifest("Backup", "b")}).uid;
    ASSERT_TRUE(stage.mirrored("Backup", "b")) << i;
    EXPECT_EQ(uid_of(*stage.mirrored("Backup", "b")), uid);
    stage.command("d" + std::to_string(i), proto::delete_object{{"Backup", "home", "b", uid}, {}});
    EXPECT_FALSE(stage.mirrored("Backup", "b"));
    if (i == 1) stage.restart();
  }
}

/// Services trust a mark under its own name. A mark that a user wrote must not appear there, also after an upgrade.
TEST(Mirror, TellsAgainWhatAnOlderGatewayToldWithoutJudgingItsMarks) {
  stage stage;
  auto by = ours("restored-by");
  auto marked = manifest("Backup", "b");
  marked.find("metadata")->set("annotations", json::object{{by, "forged"}});
  stage.command("1", proto::create_object{marked});
  EXPECT_EQ(annotation(*stage.mirrored("Backup", "b"), "unproven." + by), "forged");
  EXPECT_EQ(annotation(*stage.mirrored("Backup", "b"), by), "");
  auto there = *stage.last(subjects::resources, subjects::resource("local", "Backup", "home", "b"));
  stage.end();
  std::erase_if(there.head, [](auto& one) { return one.first == form_header || one.first == "Nats-Msg-Id"; });
  auto old = *stage.mirrored("Backup", "b");
  old.find("metadata")->set("annotations", json::object{{by, "forged"}});
  stage.publish({.subject = there.subject, .body = json::dump(old), .head = there.head});
  EXPECT_EQ(annotation(*stage.mirrored("Backup", "b"), by), "forged");
  stage.start();
  EXPECT_EQ(annotation(*stage.mirrored("Backup", "b"), by), "");
  stage.command("2", proto::patch_metadata{.object = {"Backup", "home", "b", std::string(uid_of(old))}, .annotations = {{by, "photos"}}});
  EXPECT_EQ(annotation(*stage.mirrored("Backup", "b"), by), "photos");
  auto live = stage.command("3", proto::read_object{{"Backup", "home", "b", std::string(uid_of(old))}});
  EXPECT_EQ(annotation(*live.object, by), "photos") << "a live read is judged as well";
}

/// Changes the folder while no gateway runs: commands cannot be larger than messages.
void change_folder(stage& stage, std::function<void(local::object_store&)> change) {
  stage.end();
  {
    asio::io_context loop;
    app::system_clock time{loop.get_executor()};
    local::object_store store(stage.data.path(), time);
    change(store);
  }
  stage.start();
}

/// H2 of the security review: one such object must not stop the mirror of the whole cluster.
TEST(Mirror, AnObjectTooLargeForTheBusIsToldAsAStubAndHoldsUpNobody) {
  stage stage;
  auto big = manifest("Backup", "big");
  auto text = std::string(5 << 20, 'x');
  big.set("spec", json::object{{"tags", json::object{{"a", text}}}, {"pin", true}});
  change_folder(stage, [&](auto& store) { ASSERT_TRUE(store.create(big)); });
  stage.command("2", proto::create_object{manifest("Backup", "z")});
  ASSERT_TRUE(stage.mirrored("Backup", "z")) << "what comes after it is told";
  auto told = stage.mirrored("Backup", "big");
  ASSERT_TRUE(told);
  EXPECT_TRUE(told->find(proto::too_large));
  EXPECT_EQ(json::dump(*told->find("spec")), R"({"pin":true})");
  stage.go(5s);
  auto condition = [&] { return stage.mirrored("Backup", "big")->at("status.conditions")->as_array()->front(); };
  EXPECT_EQ(condition().text("reason"), "TooLarge");
  EXPECT_NE(condition().text("message").find("max_payload"), std::string::npos);
  auto live = stage.command("3", proto::read_object{{"Backup", "home", "big", std::string(uid_of(*told))}});
  ASSERT_TRUE(live.object) << "a deletion is confirmed by it";
  EXPECT_TRUE(live.object->find(proto::too_large));
  auto before = stage.messages(subjects::resources);
  stage.restart();
  EXPECT_EQ(stage.messages(subjects::resources), before + 1) << "the marker alone";
  big.set("spec", json::value::make_object());
  change_folder(stage, [&](auto& store) { ASSERT_TRUE(store.apply(big)); });
  stage.go(5s);
  EXPECT_FALSE(stage.mirrored("Backup", "big")->find(proto::too_large));
  EXPECT_EQ(condition().text("reason"), "Mirrored");
}

TEST(Backlog, IsSaidOnceItIsOlderThanHalfAMinute) {
  instant now{std::chrono::hours(1)};
  EXPECT_EQ(why_behind({}, now), "");
  EXPECT_EQ(why_behind({now - 30s, "Backup home/b"}, now), "");
  EXPECT_NE(why_behind({now - 31s, "Backup home/b"}, now).find("Backup home/b waits for 31 s"), std::string::npos);
}

TEST(Backlog, IsThatOfTheOldestChangeThatTheBusDoesNotTake) {
  remote_stage stage;
  EXPECT_FALSE(stage.behind.since);
  stage.net.gap(1min);
  auto changed = stage.home.wall();
  stage.remote.write("phase", "Running");
  stage.remote.tell();
  stage.go(40s);
  ASSERT_TRUE(stage.behind.since);
  EXPECT_LT(*stage.behind.since - changed, 1s);
  EXPECT_EQ(stage.behind.what, "Backup home/b");
  stage.go(2min);
  EXPECT_FALSE(stage.behind.since);
}

TEST(Mirror, ComesBackAfterTheBusLostEverything) {
  stage stage;
  stage.command("1", proto::create_object{manifest("Backup", "a")});
  stage.go(2min);
  stage.net.lose_all();
  stage.go(1min);
  EXPECT_TRUE(stage.mirrored("Backup", "a"));
  EXPECT_TRUE(stage.last(subjects::resources, subjects::resources_listed("local")));
}

TEST(Commands, TwiceIsOnce) {
  stage stage;
  auto backup = manifest("Backup", "b");
  backup.find("metadata")->set("labels", json::object{{ours("run"), "r"}});
  auto first = stage.command("r", proto::create_object{backup}, "m1");
  auto second = stage.command("r", proto::create_object{backup}, "m2");
  EXPECT_EQ(first.uid, second.uid);
  EXPECT_EQ(second.code, answer_code::Ok);
  stage.restart();
  EXPECT_EQ(stage.command("r", proto::create_object{backup}, "m3").uid, first.uid);
}

/// Simulation, seed 10249: the command is redelivered after a user deleted the object that it created.
TEST(Commands, AnObjectOfARunThatWasDeletedIsNotMadeAgain) {
  stage stage;
  auto backup = manifest("Backup", "b");
  backup.find("metadata")->set("labels", json::object{{ours("run"), "r"}});
  auto made = stage.command("r", proto::create_object{backup}, "m1");
  stage.command("d", proto::delete_object{{"Backup", "home", "b", made.uid}, {}});
  auto said = stage.command("r", proto::create_object{backup}, "m2");
  EXPECT_EQ(said.code, answer_code::Ok);
  EXPECT_EQ(said.uid, made.uid);
  EXPECT_FALSE(stage.mirrored("Backup", "b"));
  EXPECT_EQ(stage.command("another", proto::create_object{manifest("Backup", "b")}).code, answer_code::Ok)
      << "of no run: as often as asked";
}

TEST(Commands, AHookWhoseAnswerIsStoredIsNotCalledAgain) {
  stage stage;
  proto::answer recorded{.code = answer_code::Ok, .message = "as it was", .uid = {}, .resource_version = {}, .object = {}};
  stage.publish({.subject = subjects::answer("local", "gateway", "call-http", "run-1-before-0"), .body = json::write(recorded)});
  proto::call_http call{.run = "run-1", .namespace_ = "home", .url = "http://127.0.0.1:1/nobody-listens", .body = {}, .headers = {}};
  auto said = stage.command("run-1-before-0", call);
  EXPECT_EQ(said.code, answer_code::Ok);
  EXPECT_EQ(said.message, "as it was");
}

TEST(Commands, PoisonIsADeadLetterAndTheNextOneIsHeard) {
  stage stage;
  stage.must(stage.net.server().ensure(bus::stream_config{.name = "dead-letters", .subjects = {"dead.>"}}));
  stage.publish({.subject = subjects::command("local", "gateway", "create-object", "x"), .body = "{no json"});
  stage.publish({.subject = subjects::command("local", "gateway", "dance", "y"), .body = R"({"dance":{}})"});
  EXPECT_EQ(stage.messages("dead-letters"), 2u);
  stage.publish({.subject = subjects::request("local", "home", "backup"), .body = "{no json"});
  EXPECT_EQ(stage.messages("dead-letters"), 3u) << "a request that cannot be read is refused, and kept";
  EXPECT_EQ(stage.command("1", proto::create_object{manifest("Backup", "b")}).code, answer_code::Ok);
}

TEST(Commands, NeverTakeOrGiveASecret) {
  stage stage;
  auto secret = parsed_json(
      R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"home","uid":"u","resourceVersion":"1"},"stringData":{"k":"hunter2"}})");
  EXPECT_EQ(stage.command("1", proto::apply_object{secret}).code, answer_code::Forbidden);
  stage.end();
  secret.set("data", json::object{{"k", "aHVudGVyMg=="}});
  secret.erase("stringData");
  stage.data.write("objects/Secret/home/s.json", json::dump(secret));
  stage.start();
  auto said = stage.command("2", proto::read_object{{"Secret", "home", "s", ""}});
  ASSERT_TRUE(said.object);
  EXPECT_EQ(json::dump(*said.object).find("aHVudGVyMg"), std::string::npos);
  ASSERT_TRUE(stage.mirrored("Secret", "s"));
  EXPECT_EQ(json::dump(*stage.mirrored("Secret", "s")).find("aHVudGVyMg"), std::string::npos);
}

TEST(Commands, DeleteWaitsForFinalizersThenTellsATombstone) {
  stage stage;
  auto uid = stage.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  proto::object_ref ref{"Backup", "home", "b", uid};
  stage.command("2", proto::patch_metadata{ref, {"f"}, {}, {}, {}});
  stage.command("3", proto::delete_object{ref, {}});
  ASSERT_TRUE(stage.mirrored("Backup", "b"));
  EXPECT_FALSE(stage.mirrored("Backup", "b")->text("metadata.deletionTimestamp").empty());
  stage.command("4", proto::patch_metadata{ref, {}, {"f"}, {}, {}});
  EXPECT_FALSE(stage.mirrored("Backup", "b"));
  EXPECT_EQ(stage.command("5", proto::delete_object{ref, {}}).code, answer_code::Ok) << "gone is success";
  EXPECT_EQ(stage.command("6", proto::read_object{ref}).code, answer_code::NotFound);
}

TEST(Commands, AnAnnotationIsSetAndTakenAwayInTheMirrorToo) {
  stage stage;
  auto uid = stage.command("1", proto::create_object{manifest("BackupConfig", "photos")}).uid;
  proto::object_ref ref{"BackupConfig", "home", "photos", uid};
  std::string const name(proto::annotation::suspended);
  stage.command("2", proto::patch_metadata{.object = ref, .annotations = {{name, "by kopiur suspend"}}});
  EXPECT_EQ(annotation(*stage.mirrored("BackupConfig", "photos"), name), "by kopiur suspend");
  EXPECT_EQ(stage.command("3", proto::patch_metadata{.object = ref, .remove_annotations = {name}}).code, answer_code::Ok);
  EXPECT_EQ(annotation(*stage.mirrored("BackupConfig", "photos"), name), "");
  EXPECT_EQ(stage.command("4", proto::patch_metadata{.object = ref, .remove_annotations = {name}}).code, answer_code::Ok)
      << "asked for twice";
}

TEST(Commands, AJobWithoutItsLeaseIsAConflict) {
  stage stage;
  proto::create_job job{.run = "r",
                        .attempt = 1,
                        .namespace_ = "home",
                        .serves = {},
                        .body = {},
                        .secrets = {},
                        .volumes = {},
                        .leases = {{"repo/x", 7}},
                        .pod = {}};
  EXPECT_EQ(stage.command("r-1", job).code, answer_code::LeaseLost) << "there is no such lease";
  auto hold = [&](std::uint64_t fence, instant until) {
    proto::lease_state state{.key = "repo/x", .holders = {{"local", "r", proto::lease_mode::Exclusive, until, fence}}, .waiters = {}};
    stage.must(stage.net.server().publish({.subject = subjects::lease("repo/x"), .body = json::write(state)}));
  };
  hold(6, stage.home.wall() + 30s);
  EXPECT_EQ(stage.command("r-1", job).code, answer_code::LeaseLost) << "another fence";
  hold(7, stage.home.wall() - 1s);
  EXPECT_EQ(stage.command("r-1", job).code, answer_code::LeaseLost) << "expired";
  hold(7, stage.home.wall() + 30s);
  auto said = stage.command("r-1", job);
  EXPECT_EQ(said.code, answer_code::Ok) << said.message;
  EXPECT_FALSE(said.uid.empty());
}

TEST(Requests, BecomeObjectsOrRefusalsWithinASecond) {
  stage stage;
  stage.command("1", proto::create_object{manifest("BackupConfig", "photos")});
  auto ask = [&](std::string verb, std::string body) {
    stage.must(stage.net.server().publish({.subject = subjects::request("local", "home", verb), .body = body}));
    stage.go(1s);
  };
  auto said = [&](std::string id) {
    auto found = stage.last(subjects::answers, subjects::answer("local", "gateway", "request", id));
    return found ? parsed_json(found->body) : json::value();
  };
  ask("backup", R"({"config":"photos","id":"one"})");
  ASSERT_TRUE(*said("one").find("accepted")->as_bool()) << said("one").text("message");
  auto name = std::string(said("one").text("name"));
  ASSERT_TRUE(stage.mirrored("Backup", name));
  auto uid = std::string(stage.mirrored("Backup", name)->text("metadata.uid"));
  ask("backup", R"({"config":"photos","id":"one"})");
  EXPECT_EQ(stage.mirrored("Backup", name)->text("metadata.uid"), uid) << "a repeated id is the same object";
  ask("backup", R"({"config":"music","id":"two"})");
  EXPECT_FALSE(*said("two").find("accepted")->as_bool());
  EXPECT_NE(said("two").text("message").find("music"), std::string_view::npos);
  ask("restore", R"({"spec":{},"id":"three"})");
  EXPECT_FALSE(*said("three").find("accepted")->as_bool());
  ask("cancel", R"({"name":")" + name + R"(","id":"four"})");
  EXPECT_TRUE(*said("four").find("accepted")->as_bool());
  EXPECT_FALSE(annotation(*stage.mirrored("Backup", name), ours("cancel-run")).empty());
}

TEST(Requests, OutlastAClusterThatIsAway) {
  stage stage;
  stage.command("1", proto::create_object{manifest("BackupConfig", "photos")});
  stage.go_away();
  auto answer_to = [&](std::string id) { return stage.last(subjects::answers, subjects::answer("local", "gateway", "request", id)); };
  auto ask = [&](std::string id) {
    stage.must(stage.net.server().publish(
        {.subject = subjects::request("local", "home", "backup"), .body = R"({"config":"photos","id":")" + id + R"("})"}));
  };
  ask("patient");
  stage.go(9min);
  EXPECT_FALSE(answer_to("patient"));
  stage.restart();
  stage.go(10min);
  ASSERT_TRUE(answer_to("patient"));
  EXPECT_TRUE(*parsed_json(answer_to("patient")->body).find("accepted")->as_bool());

  stage.go_away();
  ask("forlorn");
  stage.go(25min);
  ASSERT_TRUE(answer_to("forlorn")) << "who asked hears of it when it is given up";
  auto said = parsed_json(answer_to("forlorn")->body);
  EXPECT_FALSE(*said.find("accepted")->as_bool());
  EXPECT_NE(said.text("message").find("send it again with the same id"), std::string_view::npos) << said.text("message");
}

TEST(Quiet, MeansNoWrites) {
  stage stage;
  for (int i = 0; i < 20; ++i) stage.command(std::to_string(i), proto::create_object{manifest("Backup", "b" + std::to_string(i))});
  stage.go(2min);
  std::map<std::string, std::uint64_t> before;
  for (auto const& each : proto::streams(1)) before[each.name] = stage.messages(each.name);
  stage.go(60s);
  for (auto const& [stream, last] : before) EXPECT_EQ(stage.messages(stream), last) << stream;
}

}  // namespace
}  // namespace kopiur::gateway
