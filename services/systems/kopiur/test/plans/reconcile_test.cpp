#include "services/systems/kopiur/test/plans/scene.hpp"

namespace kopiur::plans {
namespace {

using namespace proto;

/// A mover's Secret, created with each Job, must not reconcile every repository and config.
TEST(AffectedBy, AreThoseAloneThatAreReachedByWhatHasChanged) {
  scene it;
  it.put(
      "Repository", "s3", "",
      R"("spec":{"backend":{"s3":{"bucket":"b","auth":{"secretRef":{"name":"keys"}}}},"encryption":{"passwordSecretRef":{"name":"other"}}})");
  it.put_config("photos");
  it.put("BackupConfig", "music", "",
         R"("spec":{"repository":{"name":"s3"},"sources":[{"pvcSelector":{"labelSelector":{"matchLabels":{"kind":"music"}}}}]})");
  auto ref = [&](std::string kind, std::string name, std::string ns = "prod") {
    std::vector<std::string> found;
    for (auto& each : affected_by(it.objects, {kind, ns, name, ""}).at_once) found.push_back(each.kind + " " + each.name);
    return found;
  };
  using names = std::vector<std::string>;
  EXPECT_EQ(ref("Secret", "keys"), (names{"Repository s3", "BackupConfig music"}));
  EXPECT_EQ(ref("Secret", "password"), (names{"Repository nas", "BackupConfig photos"}));
  EXPECT_EQ(ref("Secret", "password", "elsewhere"), names{});
  EXPECT_EQ(ref("Secret", "backup-1-1"), names{});
  EXPECT_EQ(ref("Repository", "nas"), names{"BackupConfig photos"});
  EXPECT_EQ(ref("ClusterRepository", "nas", ""), names{});
  it.take_away("Repository", "nas");
  EXPECT_EQ(ref("Repository", "nas"), names{"BackupConfig photos"}) << "whose repository is gone has to say so";
  EXPECT_EQ(ref("PersistentVolumeClaim", "data"), names{"BackupConfig music"}) << "a claim that is named is a source, there or not";
  EXPECT_EQ(ref("PersistentVolumeClaim", "data", "elsewhere"), names{});
}

TEST(AffectedBy, AreTheBackupThatASiblingWasMadeForAndTheDeletionsThatWait) {
  scene it;
  it.put("Backup", "all-1", R"("labels":{"kopiur.home-operations.com/group":"all"})", R"("spec":{"configRef":{"name":"photos"}})");
  it.put("Backup", "gone", R"("deletionTimestamp":"2026-11-01T06:00:00Z")", R"("spec":{"configRef":{"name":"photos"}})");
  auto ref = [&](std::string kind, std::string name) {
    std::vector<std::string> found;
    for (auto& each : affected_by(it.objects, {kind, kind == core_namespace::info.kind ? "" : "prod", name, ""}).at_once)
      found.push_back(each.kind + " " + each.name);
    return found;
  };
  using names = std::vector<std::string>;
  EXPECT_EQ(ref("Backup", "all-1"), names{"Backup all"});
  EXPECT_EQ(ref("Backup", "gone"), names{});
  EXPECT_EQ(ref("Restore", "any"), names{"Backup gone"});
  EXPECT_EQ(ref("Namespace", "prod"), names{"Backup gone"});
  EXPECT_EQ(ref("Namespace", "elsewhere"), names{});
}

/// The bus has lost their runs, and no replica has ordered them again. While one still may, their results are kept.
TEST(Jobs, ThatNoRunLooksAtAreRemovedAWhileAfterTheirEnd) {
  scene it;
  auto put = [&](std::string run, duration ago, bool gone = true) {
    job_status status{.phase = job_phase::Finished, .pods_gone = gone, .finished_at = it.now - ago};
    it.objects.of<job>()[{"prod", run + "-2"}] = {.run = run, .attempt = 2, .namespace_ = "prod", .status = std::move(status)};
  };
  put("left", std::chrono::minutes(16)), put("fresh", std::chrono::minutes(14)), put("works", std::chrono::minutes(16), false);
  put("wanted", std::chrono::minutes(16)), put("done", std::chrono::minutes(16)), put("unreadable", std::chrono::minutes(16));
  it.runs["wanted"] = {.run = "wanted", .stage = run_stage::Created};
  it.runs["done"] = {.run = "done", .stage = run_stage::FollowThroughComplete};
  auto is_written = [](std::string const& run) { return run == "unreadable"; };
  it.objects.listed = false;
  EXPECT_TRUE(removals_of_left_jobs(it.look(), is_written).empty()) << "who orders them again may be still to come";
  it.objects.listed = true;
  std::vector<std::string> removed;
  for (auto& each : removals_of_left_jobs(it.look(), is_written)) {
    auto& command = std::get<delete_job>(std::get<gateway_command>(each.what));
    removed.push_back(each.key + " of " + command.run + ", " + command.namespace_ + ", copies of " + command.copies.at(0));
  }
  EXPECT_EQ(removed, (std::vector<std::string>{"done-2 of done, prod, copies of source", "left-2 of left, prod, copies of source"}));
}

/// Trials, T12: a failure that cannot change by itself is not retried.
TEST(Connect, WithWhatIsNoPasswordIsTriedAgainWithAnotherSecretAlone) {
  scene it;
  auto first = it.reconcile_it("Repository", "nas").orders.at(0);
  auto& run = it.runs[first.id];
  run = {.run = first.id, .order = first.order, .stage = run_stage::FollowThroughComplete};
  run.outcome = run_outcome::Failed, run.finished_at = it.now - std::chrono::hours(1);
  run.failure = run_failure{.class_ = kopia_failure::Unreachable};
  EXPECT_EQ(it.reconcile_it("Repository", "nas").orders.size(), 1U);
  run.failure->class_ = kopia_failure::PasswordMissing;
  EXPECT_TRUE(it.reconcile_it("Repository", "nas").orders.empty());
  it.put("Secret", "password", R"("resourceVersion":"another")", "");
  EXPECT_EQ(it.reconcile_it("Repository", "nas").orders.size(), 1U);
}

}  // namespace
}  // namespace kopiur::plans
