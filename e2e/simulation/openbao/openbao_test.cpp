#include "e2e/simulation/regressions/scenario.hpp"

/// Restores of OpenBao in the simulated cluster: submitted at most once (rule 18), under the operation lock, which nobody loses while it
/// works (rule 19), and Completed only if submitted (rule 20), whatever fails in the middle.
namespace kopiur::simulation {
namespace {

json::value object_of(std::string_view kind, std::string_view name, json::value spec) {
  return json::object{{"apiVersion", "openbao.org/v1alpha1"},
                      {"kind", kind},
                      {"metadata", json::object{{"name", name}, {"namespace", "bob"}}},
                      {"spec", std::move(spec)}};
}

json::value store() { return json::object{{"endpoint", "https://store.example"}, {"bucket", "bao"}}; }

json::value restore_of(std::string_view name, bool by_force = false) {
  return object_of("OpenBaoRestore", name,
                   json::object{{"cluster", "vault"},
                                {"source", json::object{{"key", "a.snap"}, {"target", store()}}},
                                {"jwtAuthRole", "restorer"},
                                {"force", by_force},
                                {"overrideOperationLock", by_force}});
}

void write_cluster(script acts, std::function<void(json::value& status)> change) {
  auto next = *acts.object("OpenBaoCluster", "bob", "vault");
  auto* status = next.find("status");
  change(status ? *status : next.set("status", json::value::make_object()));
  acts.cluster().replace(std::move(next));
}

void lock(script acts, std::string operation, std::string holder) {
  write_cluster(acts, [&](json::value& status) {
    auto now = to_text(std::chrono::floor<std::chrono::seconds>(acts.cluster().home().wall()));
    status.set("operationLock", json::object{{"operation", operation}, {"holder", holder}, {"acquiredAt", now}, {"renewedAt", now}});
  });
}

void a_cluster(script acts) {
  for (auto* kind : {"OpenBaoCluster", "OpenBaoRestore"}) acts.cluster().install_kind(kind);
  acts.create(
      json::object{{"apiVersion", "v1"}, {"kind", "Secret"}, {"metadata", json::object{{"name", "vault-tls-ca"}, {"namespace", "bob"}}}});
  json::value spec = json::object{{"backup", json::object{{"target", store()}, {"jwtAuthRole", "backup"}}}};
  acts.create(object_of("OpenBaoCluster", "vault", std::move(spec)));
  write_cluster(acts, [](json::value& status) { status.set("initialized", true); });
}

std::string phase(script acts, std::string_view name) {
  auto* one = acts.object("OpenBaoRestore", "bob", name);
  return one ? std::string(one->text("status.phase")) : "gone";
}
bool is_over(std::string const& phase) { return phase == "Completed" || phase == "Failed" || phase == "Unknown" || phase == "gone"; }
std::string holder(script acts) {
  auto* one = acts.object("OpenBaoCluster", "bob", "vault");
  return one ? std::string(one->text("status.operationLock.holder")) : "gone";
}
int submissions(script acts) {
  int all = 0;
  for (auto& [_, count] : acts.cluster().bao.submissions) all += count;
  return all;
}

constexpr duration moments[] = {10ms, 100ms, 300ms, 700ms, 1s, 2s, 3s, 4s, 6s, 8s, 10s, 12s, 15s, 20s, 30s};

/// A restore begins; after each of the moments, in a story of its own, `act` happens. It must end, with the lock released.
void in_the_middle(std::function<void(script)> act, std::function<void(script)> expect = [](script) {}) {
  for (auto moment : moments)
    expect_no_violation(2h, [=](script acts) {
      acts.at(5min, [=] {
        a_cluster(acts);
        acts.create(restore_of("one"));
        acts.at(moment, [=] { act(acts); });
        acts.within(40min, "its end", [acts] { return is_over(phase(acts, "one")) && holder(acts).empty(); });
        expect(acts);
      });
    });
}

TEST(OpenBaoRestores, AreSubmittedOnceAndReleaseTheLock) {
  expect_no_violation(1h, [](script acts) {
    acts.at(5min, [acts] {
      a_cluster(acts);
      acts.create(restore_of("one"));
      acts.within(5min, "its end", [acts] { return phase(acts, "one") == "Completed"; });
    });
    acts.at(20min, [acts] {
      EXPECT_EQ(submissions(acts), 1);
      EXPECT_EQ(holder(acts), "");
      EXPECT_TRUE(acts.cluster().grants.empty());
    });
  });
}

TEST(OpenBaoRestores, OfOneClusterComeOneAfterTheOther) {
  in_the_middle([](script acts) { acts.create(restore_of("two")); },
                [](script acts) {
                  acts.within(40min, "both", [acts] { return phase(acts, "one") == "Completed" && phase(acts, "two") == "Completed"; });
                });
}

/// A6.2, A6.6.
TEST(OpenBaoRestores, ThatAreDeletedInTheMiddleDrainOrNeverBegin) {
  in_the_middle([](script acts) { acts.remove(*acts.object("OpenBaoRestore", "bob", "one")); });
}

TEST(OpenBaoRestores, EndThoughTheBusLosesAllInTheMiddle) {
  in_the_middle([](script acts) { acts.lose_bus(); });
}

/// After the commit nobody knows: Unknown, and never a second submission.
TEST(OpenBaoRestores, WhoseJobIsRemovedWhileTheBusIsLostAreNeverSubmittedAgain) {
  in_the_middle([](script acts) { acts.remove_job_of("one"), acts.lose_bus(); });
}

TEST(OpenBaoRestores, WhoseJobIsRemovedAreNeverSubmittedAgain) {
  in_the_middle([](script acts) { acts.remove_job_of("one"); });
}

TEST(OpenBaoRestores, EndThoughTheClusterIsDeletedInTheMiddle) {
  for (auto moment : moments)
    expect_no_violation(2h, [=](script acts) {
      acts.at(5min, [=] {
        a_cluster(acts);
        acts.create(restore_of("one"));
        acts.at(moment, [=] { acts.remove(*acts.object("OpenBaoCluster", "bob", "vault")); });
        acts.within(40min, "its end", [acts] { return is_over(phase(acts, "one")); });
      });
    });
}

TEST(OpenBaoRestores, AndBackupsDoNotMeet) {
  in_the_middle([](script acts) { acts.annotate(*acts.object("OpenBaoCluster", "bob", "vault"), "openbao.org/trigger-backup", "now"); });
}

TEST(OpenBaoBackups, AreTakenOncePerTrigger) {
  expect_no_violation(1h, [](script acts) {
    acts.at(5min, [acts] {
      a_cluster(acts);
      acts.annotate(*acts.object("OpenBaoCluster", "bob", "vault"), "openbao.org/trigger-backup", "now");
      acts.within(5min, "its end", [acts] {
        auto* one = acts.object("OpenBaoCluster", "bob", "vault");
        return one->text("status.backup.lastHandledManualTrigger") == "now" && holder(acts).empty();
      });
    });
    acts.at(40min, [acts] { EXPECT_EQ(acts.cluster().bao.backups["bob/vault"], 1); });
  });
}

/// The lock of another holder is waited for; with force it is taken.
TEST(OpenBaoRestores, WaitForAForeignHolderThatWorks) {
  expect_no_violation(2h, [](script acts) {
    acts.at(5min, [acts] {
      a_cluster(acts);
      for (int n = 0; n < 60; ++n) acts.at(n * 1min, [acts] { lock(acts, "Upgrade", "openbaocluster/upgrade"); });
      acts.at(1s, [acts] { acts.create(restore_of("one")); });
      acts.at(59min, [acts] { EXPECT_EQ(phase(acts, "one"), "Validating"); });
      acts.at(60min, [acts] {
        write_cluster(acts, [](json::value& status) { status.erase("operationLock"); });
        acts.within(5min, "its end", [acts] { return phase(acts, "one") == "Completed"; });
      });
    });
  });
}

TEST(OpenBaoRestores, FailAfterAQuarterOfAnHourUnderTheLockOfASilentHolder) {
  expect_no_violation(2h, [](script acts) {
    acts.at(5min, [acts] {
      a_cluster(acts);
      lock(acts, "Backup", "openbaocluster/backup");
      acts.create(restore_of("one"));
      acts.within(25min, "its end", [acts] { return phase(acts, "one") == "Failed"; });
    });
    acts.at(1h, [acts] { EXPECT_EQ(holder(acts), "openbaocluster/backup"); });
  });
}

TEST(OpenBaoRestores, WithForceTakeTheLockOfABackup) {
  expect_no_violation(1h, [](script acts) {
    acts.at(5min, [acts] {
      a_cluster(acts);
      lock(acts, "Backup", "openbaocluster/backup");
      acts.create(restore_of("one", true));
      acts.within(5min, "its end", [acts] { return phase(acts, "one") == "Completed"; });
    });
  });
}

/// A6.5: a restore that was deleted by force leaves its lock.
TEST(OpenBaoRestores, TakeOverTheLockOfARestoreThatIsGone) {
  expect_no_violation(1h, [](script acts) {
    acts.at(5min, [acts] {
      a_cluster(acts);
      lock(acts, "Restore", "openbaorestore/forgotten");
      acts.create(restore_of("one"));
      acts.within(5min, "its end", [acts] { return phase(acts, "one") == "Completed" && holder(acts).empty(); });
    });
  });
}

TEST(OpenBaoRestores, KeepTheLockUntilTheClusterIsUnsealed) {
  expect_no_violation(3h, [](script acts) {
    acts.at(5min, [acts] {
      a_cluster(acts);
      acts.create(restore_of("one"));
      acts.when("a submission", [acts] { return submissions(acts) == 1; }, [acts] { acts.cluster().bao.sealed.insert("bob/vault"); });
    });
    acts.at(65min, [acts] {
      auto* one = acts.object("OpenBaoRestore", "bob", "one");
      if (phase(acts, "one") == "Completed") return;  // its end was seen before it was sealed
      EXPECT_NE(one->text("status.message").find("WaitingForUnseal"), std::string::npos) << one->text("status.message");
      EXPECT_EQ(holder(acts), "openbaorestore/one");
      acts.cluster().bao.sealed.clear();
      acts.within(15min, "its end", [acts] { return phase(acts, "one") == "Completed" && holder(acts).empty(); });
    });
  });
}

TEST(OpenBaoRestores, EndWhicheverOfTheirCallsGoesWrong) {
  struct {
    char const *service, *verb, *subject;
  } constexpr calls[] = {
      {"mover-orchestration", "publish", ".run.sim.restore-one-"},
      {"mover-orchestration", "publish", ".cmd.sim.gateway.swap-status.restore-one-"},
      {"mover-orchestration", "publish", ".cmd.sim.gateway.create-job.restore-one-"},
      {"gateway", "create job", "restore-one-"},
      {"gateway", "publish", ".answer.sim.gateway.swap-status.restore-one-"},
      {"gateway", "publish", ".answer.sim.gateway.create-job.restore-one-"},
      {"gateway", "delete job", "restore-one-"},
      {"gateway", "publish", ".answer.sim.gateway.delete-job.restore-one-"},
      {"gateway", "write status", "one"},
      {"gateway", "write status", "vault"},
  };
  for (auto const& call : calls)
    for (auto* what : {"lost_before", "lost_after", "late", "twice", "crash_before", "crash_after"})
      expect_no_violation(50min, [call, what](script acts) {
        acts.at(5min, [acts, call, what] {
          a_cluster(acts);
          acts.fault(call.service, call.verb, call.subject, what);
          acts.create(restore_of("one"));
          acts.within(10min, "its end", [acts] { return phase(acts, "one") == "Completed" && holder(acts).empty(); });
        });
      });
}

/// The rule that a story with this bug violates.
std::string violated(std::function<void(datacenter&)> plant) {
  story one({.seed = 1}, {.length = 1h, .with_faults = false, .scenario = [plant](script acts) {
                            plant(acts.cluster());
                            acts.at(5min, [acts] {
                              a_cluster(acts);
                              lock(acts, "Upgrade", "openbaocluster/upgrade");
                              acts.create(restore_of("one"));
                              acts.at(2min, [acts] { write_cluster(acts, [](json::value& status) { status.erase("operationLock"); }); });
                            });
                          }});
  auto seen = one.run();
  return seen ? seen->rule : "none";
}

TEST(OpenBaoRestores, PlantedBugsAreFound) {
  EXPECT_EQ(violated([](datacenter& cluster) { cluster.bao.without_claims = true; }).substr(0, 2), "18") << "double submission";
  EXPECT_EQ(violated([](datacenter& cluster) { cluster.bao.forgets_locks = true; }).substr(0, 2), "19") << "lock stolen";
  EXPECT_EQ(violated([](datacenter& cluster) { cluster.bao.submits_nothing = true; }).substr(0, 2), "20") << "completed without proof";
  EXPECT_EQ(violated([](datacenter&) {}), "none");
}

}  // namespace
}  // namespace kopiur::simulation
