#include <algorithm>
#include <set>

#include "services/controller/core/run_facts.hpp"
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/test/plans/scene.hpp"

namespace kopiur::plans {
namespace {

using namespace proto;
using namespace std::chrono_literals;
using words = std::vector<std::string>;

/// A database over two claims, a Backup of each, and the runs of both with their occasion, moved as the service moves them. The test plays
/// the gateway and the repository's slots.
class Occasions : public ::testing::Test {
 protected:
  Occasions() {
    it.can.pods = true, it.objects.listed = true;
    recipe(R"("copyMethod":"Snapshot")");
    for (auto* claim : {"data", "wal"}) it.put_claim(claim), put_backup(claim);
  }
  void recipe(std::string const& hooks) {
    it.put("BackupConfig", "db", "",
           R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"wal"}},{"pvc":{"name":"data"}}],"hooks":{)"
           R"("beforeSnapshot":[{"httpRequest":{"url":"http://db/freeze"}}],"afterSnapshot":[{"httpRequest":{"url":"http://db/thaw"}}]},)" +
               hooks + "}");
  }
  void put_backup(std::string const& claim, std::string const& group = "night-1") {
    it.put("Backup", "b-" + claim,
           R"("labels":{"kopiur.home-operations.com/group":")" + group + R"("},"finalizers":[)" + (marked ? cleanup : "") + "]",
           R"("spec":{"configRef":{"name":"db"},"sourcePath":"/pvc/)" + claim + R"("},"status":{"resolved":{"deletionPolicy":"Delete"}})");
    if (is_open(id_of(claim))) return;
    it.runs[id_of(claim)] = {.run = id_of(claim),
                             .cluster = "c",
                             .order = {.plan = "backup", .object = {"Backup", "prod", "b-" + claim, "uid-b-" + claim}},
                             .ordered_at = it.now,
                             .changed_at = it.now};
  }
  bool is_open(std::string const& id) const { return it.runs.contains(id) && !is_terminal(it.runs.at(id).stage); }
  std::string id_of(std::string const& claim) const {
    return backup_run_id(it.look(), *controller::find(it.objects.of<backup>(), "prod", "b-" + claim));
  }
  run_state& run_of(std::string const& claim) { return it.runs.at(id_of(claim)); }
  run_state* occasion() {
    auto found = std::ranges::find_if(it.runs, [](auto& one) { return one.second.order.plan == "occasion"; });
    return found == it.runs.end() ? nullptr : &found->second;
  }

  observation look(run_state const& run, cluster_view const& all) {
    auto* plan_of_run = find_plan(run.order.plan);
    observation seen{.now = it.now};
    seen.prepare = [&] { return prepare(all, run); };
    seen.answer = all.answer, seen.lease = [&](std::string_view key) { return all.lease(std::string(key)); };
    seen.watched = [this](instant since) { return it.now - since; };
    seen.job = jobs.contains(run.run) ? &jobs.at(run.run) : nullptr;
    seen.cancel = wants_cancel(all, run);
    seen.other = all.run;
    seen.rests_already = [&all, &run] { return rests_already(all, run); };
    seen.attendants = [&all, &run, plan_of_run] { return plan_of_run->attendants(all, run); };
    return seen;
  }
  /// Does everything that can be done now.
  void settle() {
    for (bool moved = true; moved;) {
      moved = false;
      for (auto& id : ids()) moved |= advance_once(id);
    }
  }
  words ids() const {
    words all;
    for (auto& [id, _] : it.runs) all.push_back(id);
    return all;
  }
  bool advance_once(std::string const& id) {
    auto all = it.look();
    auto next = advance(it.runs.at(id), look(it.runs.at(id), all));
    if (next.fact) {
      it.runs[id] = next.fact->state;
      return true;
    }
    return std::ranges::count_if(next.asks, [&](auto& each) { return take(each); }) > 0;
  }
  bool take(ask const& each) {
    if (auto* order = std::get_if<new_run>(&each.what)) {
      run_state fresh{.run = order->id, .cluster = "c", .order = order->order, .ordered_at = it.now, .changed_at = it.now};
      return it.runs.emplace(order->id, std::move(fresh)).second;
    }
    if (auto* request = std::get_if<lease_request>(&each.what)) return grant(*request);
    auto& command = std::get<gateway_command>(each.what);
    std::string verb(std::visit([](auto& one) { return one.member; }, command));
    if (!asked.emplace(verb + " " + each.key, command).second) return false;
    auto* http = std::get_if<call_http>(&command);
    log.push_back(http ? http->url.substr(http->url.rfind('/') + 1) : verb);
    return false;
  }
  bool grant(lease_request const& request) {
    auto* release = std::get_if<release_lease>(&request);
    if (release) return std::erase_if(it.leases[release->key].holders, [&](auto& one) { return one.run == release->run; }) > 0;
    auto* wants = std::get_if<acquire_lease>(&request);
    if (!wants) return false;
    auto& lease = it.leases[wants->key];
    lease.key = wants->key;
    std::size_t most = wants->mode == lease_mode::Exclusive ? 1 : wants->slots == 0 ? 99 : slots;
    if (lease.holders.size() >= most) return false;
    lease.holders.push_back({"c", wants->run, wants->mode, it.now + 24h, 1});
    return true;
  }
  /// Answers as the gateway would all requested commands of this verb, or those of one run.
  void answer(std::string const& verb, answer_code code = answer_code::Ok, std::string const& object = "") {
    for (auto& [key, _] : asked)
      if (key.starts_with(verb + " " + object)) it.answers.try_emplace(key, proto::answer{.code = code, .message = "no"});
    settle();
  }
  void job(std::string const& claim, job_phase phase) {
    auto& run = run_of(claim);
    jobs[run.run] = {.phase = phase, .pods_gone = phase == job_phase::Finished};
    if (phase == job_phase::Finished)
      jobs[run.run].result =
          kopia_result{.run = run.run, .attempt = run.attempt, .outcome = outcome::Succeeded, .snapshot = snapshot_row{}};
    settle();
  }
  void pass(duration time) {
    it.now += time;
    for (auto& [_, lease] : it.leases)
      for (auto& one : lease.holders) one.until = it.now + 24h;
    settle();
  }
  std::string phase(std::string const& claim) {
    auto told = find_plan("backup")->report(it.look(), run_of(claim));
    return told.empty() ? "" : std::string(told.at(0).fragment.status.text("phase"));
  }
  std::string condition(std::string const& claim, std::string_view type) {
    auto told = find_plan("backup")->report(it.look(), run_of(claim));
    for (auto& each : told.at(0).fragment.conditions)
      if (each.type == type) return each.reason + ": " + each.message;
    return "";
  }
  failure_name failed_as(std::string const& claim) {
    auto& run = run_of(claim);
    return run.failure ? run.failure->class_ : failure_name();
  }

  words hooks() const {
    words called = log;
    std::erase_if(called, [](auto& each) { return each != "freeze" && each != "thaw"; });
    return called;
  }

  static constexpr char const* cleanup = R"("kopiur.home-operations.com/snapshot-cleanup")";
  scene it;
  bool marked = true;  // a Backup gets its finalizer immediately
  std::size_t slots = 8;
  std::map<std::string, gateway_command> asked;
  std::map<std::string, job_status> jobs;
  words log;
};

/// If the bus were lost while the application is quiesced, only its Backups would record it.
TEST_F(Occasions, BringNothingToRestBeforeItsBackupsShowThatItMayRest) {
  marked = false;
  for (auto* claim : {"data", "wal"}) put_backup(claim);
  settle();
  EXPECT_EQ(log, words{});
  marked = true;
  for (auto* claim : {"data", "wal"}) put_backup(claim);
  settle();
  EXPECT_EQ(log, words{"freeze"});
}

/// conformance.md H1: a database over three claims is frozen once, and released after the last capture.
TEST_F(Occasions, FreezeOnceAndLetGoAfterTheLastCapture) {
  slots = 0;  // other runs hold all slots
  settle();
  EXPECT_EQ(log, words{"freeze"});
  answer("call-http");
  EXPECT_EQ(log, (words{"freeze", "capture-volumes", "capture-volumes"})) << "a capture takes no slot";
  answer("capture-volumes", answer_code::Ok, id_of("data"));
  EXPECT_EQ(log.size(), 3U) << "the other one is not captured";
  answer("capture-volumes");
  EXPECT_EQ(log.back(), "thaw");
  EXPECT_EQ(run_of("wal").stage, run_stage::Prepared) << "they wait for a slot, and the application works";
  slots = 8, pass(1h);
  EXPECT_EQ(run_of("data").stage, run_stage::Committed);
  auto& made = std::get<create_job>(asked.at("create-job " + id_of("data") + "-1"));
  auto source = std::ranges::find(made.volumes, "source", &volume_use::name);
  ASSERT_TRUE(source != made.volumes.end() && source->copy);
  EXPECT_TRUE(source->copy->taken) << "no other one is taken in its place";
  EXPECT_EQ(hooks(), (words{"freeze", "thaw"}));
}

TEST_F(Occasions, LetGoOnlyWhenAllWasReadThatIsReadAsItIs) {
  recipe(R"("copyMethod":"Direct")");
  settle();
  answer("call-http");
  EXPECT_EQ(log, (words{"freeze", "create-job", "create-job"}));
  job("data", job_phase::Running), job("wal", job_phase::Running);
  pass(6h);
  job("data", job_phase::Finished);
  answer("delete-job");
  EXPECT_EQ(std::ranges::count(log, "thaw"), 0);
  EXPECT_EQ(phase("data"), "Running") << "were the bus lost, nobody else would know that somebody rests";
  job("wal", job_phase::Finished);
  EXPECT_EQ(std::ranges::count(log, "thaw"), 1);
  answer("call-http"), jobs.clear(), answer("delete-job");
  EXPECT_EQ(phase("data"), "Succeeded");
  EXPECT_EQ(phase("wal"), "Succeeded");
  EXPECT_EQ(condition("wal", "SourcesQuiesced").substr(0, 9), "HooksRan:");
  EXPECT_EQ(occasion()->stage, run_stage::FollowThroughComplete);
}

/// Locks and slots are awaited before the freeze, and only for a minute once one of the runs has its own.
TEST_F(Occasions, SayBeforeTheFreezeThatThereAreTooFewSlots) {
  recipe(R"("copyMethod":"Direct")");
  slots = 0;
  settle();
  pass(3h);
  EXPECT_TRUE(log.empty()) << "nothing could be read while it rests";
  slots = 1;
  pass(1min);
  EXPECT_TRUE(log.empty());
  pass(1s);
  auto told = condition("data", "Ready") + condition("wal", "Ready");
  EXPECT_NE(told.find("wait for a slot of their repository"), std::string::npos) << told;
  pass(1min);
  EXPECT_EQ(log, words{"freeze"});
  answer("call-http");
  auto first = run_of("data").stage == run_stage::Committed ? "data" : "wal";
  EXPECT_EQ(std::ranges::count(log, "create-job"), 1);
  job(first, job_phase::Running), job(first, job_phase::Finished), jobs.clear(), answer("delete-job");
  EXPECT_EQ(std::ranges::count(log, "create-job"), 2) << "its slot is free as soon as it was read: " << first;
  EXPECT_EQ(std::ranges::count(log, "thaw"), 0);
}

TEST_F(Occasions, GoOnWithoutASourceThatIsLate) {
  it.put_claim("wal", "", "", "Pending");
  settle(), pass(1s);
  EXPECT_TRUE(log.empty());
  EXPECT_EQ(condition("data", "Ready").substr(0, 18), "WaitingForSources:");
  pass(58s);
  EXPECT_TRUE(log.empty());
  pass(1s);
  EXPECT_EQ(log, words{"freeze"});
  EXPECT_EQ(failed_as("wal"), failure_class::MissedOccasion);
  EXPECT_NE(run_of("wal").failure->message.find("prod/wal is Bound"), std::string::npos) << run_of("wal").failure->message;
  it.put_claim("wal");
  answer("call-http"), answer("capture-volumes");
  EXPECT_EQ(std::ranges::count(log, "capture-volumes"), 1);
  EXPECT_EQ(std::ranges::count(log, "thaw"), 1);
  EXPECT_EQ(phase("wal"), "Failed");
  EXPECT_EQ(condition("wal", "SourcesQuiesced"), "");
}

TEST_F(Occasions, FreezeNothingWhileNoSourceIsReady) {
  for (auto* claim : {"data", "wal"}) it.put_claim(claim, "", "", "Pending");
  settle(), pass(1s), pass(10min);
  EXPECT_TRUE(log.empty());
  pass(10min);
  EXPECT_EQ(failed_as("data"), failure_class::PreconditionMissing);
  EXPECT_EQ(failed_as("wal"), failure_class::PreconditionMissing);
  EXPECT_TRUE(log.empty());
  EXPECT_FALSE(occasion() && is_open(occasion()->run));
}

/// A Backup of the slot that does not exist yet counts for a minute.
TEST_F(Occasions, WaitForABackupThatIsNotThereYet) {
  it.runs.erase(id_of("wal")), it.take_away("Backup", "b-wal");
  settle(), pass(30s);
  EXPECT_TRUE(log.empty());
  put_backup("wal");
  settle();
  EXPECT_EQ(log, words{"freeze"});
  EXPECT_EQ(occasion()->members.size(), 2U);
}

/// What was not captured by then is never captured; that is recorded before the application is released.
TEST_F(Occasions, EndWhereACaptureDoesNotCome) {
  settle(), answer("call-http"), answer("capture-volumes", answer_code::Ok, id_of("data"));
  it.now += 301s;
  EXPECT_TRUE(advance_once(occasion()->run));
  EXPECT_TRUE(occasion()->cancelled);
  advance_once(occasion()->run);
  EXPECT_EQ(std::ranges::count(log, "thaw"), 0) << "the last capture may come in this moment, and count";
  settle();
  EXPECT_EQ(std::ranges::count(log, "thaw"), 1);
  EXPECT_EQ(run_of("wal").cancelled_as, failure_class::QuiesceTimeout);
  answer("capture-volumes");
  EXPECT_FALSE(run_of("wal").captured_at);
  EXPECT_FALSE(run_of("data").cancelled) << "that of its source is of the moment";
  answer("call-http"), answer("delete-job");
  EXPECT_EQ(failed_as("wal"), failure_class::QuiesceTimeout);
  EXPECT_EQ(condition("wal", "SourcesQuiesced").substr(0, 15), "QuiesceTimeout:");
  EXPECT_TRUE(asked.contains("delete-job " + id_of("wal") + "-1")) << "what may have been captured goes";
}

/// A mover that succeeds a second after the application was released has read unquiesced data: its Backup fails (seed 20001).
TEST_F(Occasions, KeepNothingThatWasReadAfterwards) {
  recipe(R"("copyMethod":"Direct")");
  settle(), answer("call-http");
  job("data", job_phase::Running), job("wal", job_phase::Running);
  occasion()->plan = [&] {
    auto plan = *occasion()->plan;
    plan.rests_at_most = 60s;
    return plan;
  }();
  job("data", job_phase::Finished);
  pass(61s);
  EXPECT_EQ(std::ranges::count(log, "thaw"), 1);
  job("wal", job_phase::Finished);
  EXPECT_NE(run_of("wal").outcome, run_outcome::Succeeded);
  EXPECT_EQ(run_of("wal").cancelled_as, failure_class::QuiesceTimeout);
  EXPECT_EQ(run_of("data").outcome, run_outcome::Succeeded) << "it was read before";
}

/// Otherwise it waits as long as the others are read, even if one of their movers hangs (seed 20017).
TEST_F(Occasions, HoldUpNoDeletionOfOneOfTheirs) {
  recipe(R"("copyMethod":"Direct")");
  settle(), answer("call-http");
  auto id = id_of("data");
  job("data", job_phase::Running), job("wal", job_phase::Running);
  it.take_away("Backup", "b-data");
  settle();
  jobs[id] = {.phase = job_phase::Lost, .pods_gone = true};
  advance_once(id);
  jobs.erase(id), settle();
  ASSERT_TRUE(it.runs.at(id).undoing) << "what it may have saved goes";
  jobs[id] = {
      .phase = job_phase::Finished, .pods_gone = true, .result = kopia_result{.run = id, .attempt = 2, .outcome = outcome::Succeeded}};
  settle();
  jobs.erase(id), answer("delete-job");
  EXPECT_EQ(it.runs.at(id).stage, run_stage::FollowThroughComplete);
  EXPECT_EQ(std::ranges::count(log, "thaw"), 0) << "the other one is still read";
}

TEST_F(Occasions, FailAllOfThemWhereAHookFails) {
  settle(), answer("call-http", answer_code::Unavailable);
  EXPECT_EQ(hooks(), (words{"freeze", "thaw"})) << "be it that half of it was done";
  EXPECT_EQ(failed_as("data"), failure_class::HookFailed);
  EXPECT_EQ(failed_as("wal"), failure_class::HookFailed);
  EXPECT_EQ(phase("data"), "Pending") << "it is not let go yet";
  answer("call-http");
  answer("delete-job");
  EXPECT_EQ(phase("data"), "Failed");
}

TEST_F(Occasions, EndWhereNobodyWantsThemAnyMore) {
  settle();
  for (auto* claim : {"data", "wal"}) it.take_away("Backup", "b-" + std::string(claim));
  settle();
  EXPECT_TRUE(occasion()->cancelled);
  EXPECT_EQ(hooks(), words{"freeze"}) << "the hook in hand comes first";
  answer("call-http");
  EXPECT_EQ(hooks(), (words{"freeze", "thaw"}));
}

/// The lease may expire while the bus is down; the recorded facts do not.
TEST_F(Occasions, ThatRestHoldUpTheNextOneOfTheirRecipe) {
  settle();
  it.leases.clear();
  auto first = occasion()->run;
  run_state second = *occasion();
  second.run = "occasion-2", second.hooks_started = false, second.rests_since.reset();
  it.runs["occasion-2"] = second;
  for (auto& [_, one] : it.runs) one.cancelled = one.run == "occasion-2" ? std::nullopt : one.cancelled;
  it.leases[second.plan->leases.at(0).key].holders = {{"c", "occasion-2", lease_mode::Exclusive, it.now + 1h, 2}};
  auto all = it.look();
  auto next = advance(second, look(second, all));
  EXPECT_EQ(rests_already(all, second), first);
  EXPECT_TRUE(next.asks.empty());
  it.runs.at(first).after_hooks_done = 1;
  EXPECT_FALSE(rests_already(it.look(), second));
}

TEST_F(Occasions, ComeTooLateTellsForWhatItWaited) {
  settle(), answer("call-http"), answer("capture-volumes"), answer("call-http");
  EXPECT_EQ(occasion()->stage, run_stage::FollowThroughComplete);
  it.put("Backup", "b-late", R"("labels":{"kopiur.home-operations.com/group":"night-1"})",
         R"("spec":{"configRef":{"name":"db"},"sourcePath":"/pvc/wal"})");
  it.runs["late"] = {.run = "late", .cluster = "c", .order = {.plan = "backup", .object = {"Backup", "prod", "b-late", "uid-b-late"}}};
  settle();
  EXPECT_EQ(it.runs["late"].failure->class_, failure_class::MissedOccasion);
  EXPECT_EQ(std::ranges::count(log, "freeze"), 1);
}

/// With a common capture: only of the claims whose Backups take part.
TEST_F(Occasions, CaptureTogetherWhatIsThere) {
  it.put("BackupConfig", "db", "",
         R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"wal"}},{"pvc":{"name":"data"}},{"pvc":{"name":"log"}}],)"
         R"("copyMethod":"Snapshot","groupBy":"VolumeGroupSnapshot"})");
  it.put_claim("log", "", "", "Pending"), put_backup("log");
  settle(), pass(1min);
  EXPECT_EQ(log, (words{"capture-volumes", "capture-volumes"})) << "without hooks too";
  for (auto& [_, command] : asked)
    if (auto* one = std::get_if<capture_volumes>(&command)) EXPECT_EQ(one->volumes.at(0).copy->together->claims, (words{"data", "wal"}));
  EXPECT_EQ(failed_as("log"), failure_class::MissedOccasion);
  EXPECT_EQ(condition("log", "HooksSucceeded"), "");
}

TEST_F(Occasions, AreOfTheGroupAndWhoeverMadeIt) {
  auto& config = *controller::find(it.objects.of<backup_config>(), "prod", "db");
  auto id = [&](std::string const& metadata) {
    it.put("Backup", "x", metadata, R"("spec":{"configRef":{"name":"db"},"sourcePath":"/pvc/wal"})");
    auto found = occasion_of(it.look(), *controller::find(it.objects.of<backup>(), "prod", "x"), config);
    return found ? found->id : std::string();
  };
  std::string const labels = R"("labels":{"kopiur.home-operations.com/group":"night-1"})";
  std::set<std::string> all{id(labels), id(labels + R"(,"annotations":{"kopiur.home-operations.com/schedule-uid":"s1"})"),
                            id(labels + R"(,"annotations":{"kopiur.home-operations.com/group-uid":"b1"})"),
                            id(R"("labels":{"kopiur.home-operations.com/group":"night-2"})")};
  EXPECT_EQ(all.size(), 4U);
  EXPECT_EQ(id(""), "") << "one that stands alone runs its hooks itself";
  it.put("BackupConfig", "db", "", R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"wal"}},{"pvc":{"name":"data"}}]})");
  EXPECT_EQ(id(labels), "") << "without hooks each source waits for its own";
}

}  // namespace
}  // namespace kopiur::plans
