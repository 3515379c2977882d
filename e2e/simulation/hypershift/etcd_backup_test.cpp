#include "e2e/simulation/regressions/scenario.hpp"

/// Backups of the etcd of hosted control planes, in the simulated cluster: they end, nothing that was granted for them is left (rule 16),
/// and a control plane has one at a time (rule 17), whatever fails in the middle.
namespace kopiur::simulation {
namespace {

json::value object_of(std::string_view kind, std::string_view ns, std::string_view name, json::value spec = json::object{}) {
  return json::object{{"apiVersion", "hypershift.openshift.io/v1beta1"},
                      {"kind", kind},
                      {"metadata", json::object{{"name", name}, {"namespace", ns}}},
                      {"spec", std::move(spec)}};
}

json::value storage(char const* secret_field) {
  json::value s3 = json::object{{"bucket", "snapshots"}, {"region", "eu-1"}, {"keyPrefix", "prod"}};
  s3.set(secret_field, json::object{{"name", "keys"}});
  return json::object{{"storageType", "S3"}, {"s3", std::move(s3)}};
}
json::value etcd_backup(std::string_view name) { return object_of("EtcdBackup", "bob", name, storage("credentialsSecretRef")); }
json::value hcp_etcd_backup(std::string_view name) {
  return object_of("HCPEtcdBackup", "bob", name, json::object{{"storage", storage("credentials")}});
}

/// The control plane of bob, whose namespace follows from no HostedCluster: none is told.
void control_plane(script acts) {
  for (auto* kind : {"HostedControlPlane", "HostedCluster", "HCPEtcdBackup"}) acts.cluster().install_kind(kind);
  acts.create(json::object{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", json::object{{"name", "operator"}}}});
  acts.create(object_of("HostedControlPlane", "bob", "prod"));
}

std::string reason(script acts, std::string_view kind, std::string_view name) {
  auto* one = acts.object(kind, "bob", name);
  auto* conditions = one ? one->at("status.conditions") : nullptr;
  return conditions && conditions->as_array() ? std::string(conditions->as_array()->front().text("reason")) : "";
}
bool is_over(std::string const& word) {
  return word == "BackupSucceeded" || word == "BackupFailed" || word == "BackupRejected" || word == "BackupAlreadyInProgress";
}

constexpr duration moments[] = {10ms, 100ms, 300ms, 700ms, 1s, 2s, 4s, 6s, 8s, 12s, 15s, 20s, 30s};

TEST(EtcdBackup, SucceedsWithAUrlAndLeavesNothing) {
  expect_no_violation(1h, [](script acts) {
    acts.at(5min, [acts] {
      control_plane(acts);
      acts.create(etcd_backup("one"));
      acts.within(30s, "a condition within 30 s", [acts] { return !reason(acts, "EtcdBackup", "one").empty(); });
      acts.within(5min, "its end", [acts] { return reason(acts, "EtcdBackup", "one") == "BackupSucceeded"; });
    });
    acts.at(20min, [acts] {
      EXPECT_TRUE(acts.object("EtcdBackup", "bob", "one")->text("status.snapshotURL").starts_with("s3://"));
      EXPECT_TRUE(acts.cluster().grants.empty());
    });
  });
}

/// Retention deletes objects that succeeded beyond the newest five; their snapshots stay.
TEST(EtcdBackup, ThatSucceededIsPrunedByCount) {
  expect_no_violation(2h, [](script acts) {
    acts.at(5min, [acts] { control_plane(acts); });
    for (int n = 1; n <= 7; ++n) acts.at(5min + n * 5min, [acts, n] { acts.create(etcd_backup("b" + std::to_string(n))); });
    acts.at(50min, [acts] {
      for (int n = 1; n <= 7; ++n) EXPECT_EQ(acts.object("EtcdBackup", "bob", "b" + std::to_string(n)) != nullptr, n > 2) << n;
    });
  });
}

/// A backup begins; after each of the moments, in a story of its own, `act` happens. `expect`: what must come then.
void in_the_middle(std::function<void(script)> act, std::function<void(script)> expect = [](script) {}) {
  for (auto moment : moments)
    expect_no_violation(2h, [=](script acts) {
      acts.at(5min, [=] {
        control_plane(acts);
        acts.create(etcd_backup("one"));
        acts.at(moment, [=] { act(acts); });
        expect(acts);
      });
    });
}

/// B6.4: not even at once.
TEST(EtcdBackup, OfOneControlPlaneAreNotTakenTogether) {
  in_the_middle([](script acts) { acts.create(hcp_etcd_backup("two")); },
                [](script acts) {
                  acts.within(10min, "the ends of both", [acts] {
                    auto one = reason(acts, "EtcdBackup", "one"), two = reason(acts, "HCPEtcdBackup", "two");
                    return is_over(one) && is_over(two) && (one == "BackupSucceeded" || two == "BackupSucceeded");
                  });
                });
}

/// B6.1, B6.18: HyperShift leaves Role, RoleBinding, NetworkPolicy and Job, and a user has to remove them by hand.
TEST(EtcdBackup, ThatIsDeletedInTheMiddleLeavesNothing) {
  in_the_middle([](script acts) { acts.remove(*acts.object("EtcdBackup", "bob", "one")); });
}

/// B6.3: the Job has no TTL that could remove the result during an outage.
TEST(EtcdBackup, EndsThoughTheBusLosesAllInTheMiddle) {
  in_the_middle([](script acts) { acts.lose_bus(); },
                [](script acts) { acts.within(15min, "its end", [acts] { return is_over(reason(acts, "EtcdBackup", "one")); }); });
}

/// Deleted, and the bus has lost the run: only the Job still names what was granted.
TEST(EtcdBackup, LeavesNothingThoughObjectAndBusAreLostTogether) {
  in_the_middle([](script acts) { acts.remove(*acts.object("EtcdBackup", "bob", "one")), acts.lose_bus(); });
}

TEST(EtcdBackup, EndsWhicheverOfItsCallsGoesWrong) {
  struct {
    char const *service, *verb, *subject;
  } constexpr calls[] = {
      {"mover-orchestration", "publish", ".run.sim.etcd-backup-"},
      {"mover-orchestration", "publish", ".cmd.sim.gateway.create-job.etcd-backup-"},
      {"mover-orchestration", "publish", ".cmd.sim.gateway.look-at-secret.etcd-backup-"},
      {"gateway", "create job", "etcd-backup-"},
      {"gateway", "publish", ".answer.sim.gateway.create-job.etcd-backup-"},
      {"gateway", "delete job", "etcd-backup-"},
      {"gateway", "publish", ".answer.sim.gateway.delete-job.etcd-backup-"},
      {"gateway", "write status", "one"},
  };
  for (auto const& call : calls)
    for (auto* what : {"lost_before", "lost_after", "late", "twice", "crash_before", "crash_after"})
      expect_no_violation(40min, [call, what](script acts) {
        acts.at(5min, [acts, call, what] {
          control_plane(acts);
          acts.fault(call.service, call.verb, call.subject, what);
          acts.create(etcd_backup("one"));
          acts.within(10min, "its end", [acts] { return reason(acts, "EtcdBackup", "one") == "BackupSucceeded"; });
        });
      });
}

/// The rule that a story with this bug violates.
std::string violated(std::function<void(datacenter&)> plant) {
  story one({.seed = 1}, {.length = 1h, .with_faults = false, .scenario = [plant](script acts) {
                            plant(acts.cluster());
                            acts.at(5min, [acts] { control_plane(acts), acts.create(etcd_backup("one")); });
                          }});
  auto seen = one.run();
  return seen ? seen->rule : "none";
}

TEST(EtcdBackup, PlantedBugsAreFound) {
  EXPECT_EQ(violated([](datacenter& cluster) { cluster.keeps_grants = true; }).substr(0, 2), "16");
  EXPECT_EQ(violated([](datacenter& cluster) { cluster.second_uploads = true; }).substr(0, 2), "17");
  EXPECT_EQ(violated([](datacenter&) {}), "none");
}

}  // namespace
}  // namespace kopiur::simulation
