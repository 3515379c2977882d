#include "e2e/simulation/regressions/scenario.hpp"
#include "proto/kopiur/names.hpp"

/// Run facts are kept for 90 days, and a bus may lose all of them. Later decisions about a Backup or a claim therefore use what the cluster
/// stores (status and seals).
namespace kopiur::simulation {
namespace {

json::value restore_of(std::string const& backup) {
  auto manifest = new_restore("bob", "back", "all", "/pvc/one", "spare", true, false);
  manifest.find("spec")->set("source", json::object{{"backupRef", json::object{{"name", backup}}}});
  return manifest;
}

/// How the run facts are lost.
class Provenance : public ::testing::TestWithParam<void (script::*)() const> {
 protected:
  static void forget(script acts) { (acts.*GetParam())(); }
};

TEST_P(Provenance, ABackupIsDeletedWithItsSnapshot) {
  expect_no_violation(2h, [](script acts) {
    save_only(acts, 5min, [acts] {
      auto id = std::string(acts.object("Backup", "bob", "only")->text("status.snapshot.kopiaSnapshotID"));
      acts.at(1min, [acts] { forget(acts); });
      acts.at(20min, [acts] { acts.remove(*acts.object("Backup", "bob", "only")); });
      auto gone = [acts, id] { return !acts.object("Backup", "bob", "only") && !acts.has_snapshot("bob", id); };
      acts.within(50min, "the end of the Backup and of its snapshot", gone);
    });
  });
}

TEST_P(Provenance, ABackupIsRestored) {
  expect_no_violation(2h, [](script acts) {
    save_only(acts, 5min, [acts] {
      acts.at(1min, [acts] { forget(acts); });
      acts.at(20min, [acts] { acts.create(restore_of("only")); });
      acts.within(50min, "a Restore of it", [acts] { return is(acts.object("Restore", "bob", "back"), "Completed"); });
    });
  });
}

/// Later Backups of the schedule replace it: the BackupConfig keeps the last three, and those of three hours.
TEST_P(Provenance, ABackupOfASlotIsPruned) {
  expect_no_violation(6h, [](script acts) {
    auto first = [acts]() -> json::value const* {
      for (auto* one : acts.objects("Backup", "bob"))
        if (one->text("metadata.name").starts_with("often-") && is(one, "Succeeded")) return one;
      return nullptr;
    };
    auto forget_and_wait = [acts, first] {
      auto name = std::string(first()->text("metadata.name")), id = std::string(first()->text("status.snapshot.kopiaSnapshotID"));
      acts.at(1min, [acts] { forget(acts); });
      auto gone = [acts, name, id] { return !acts.object("Backup", "bob", name) && !acts.has_snapshot("bob", id); };
      acts.when("that retention takes it away with its snapshot", gone, [] {});
    };
    acts.when("a Backup of a slot that was saved", [first] { return first() != nullptr; }, forget_and_wait);
  });
}

/// After it is applied again it is another object: only the claim shows that it was filled.
TEST_P(Provenance, ARestoreAppliedAgainDoesNotFillItsClaimAgain) {
  expect_no_violation(2h, [](script acts) {
    save_only(acts, 5min, [acts] {
      acts.create(restore_of("only"));
      auto completed = [acts] { return is(acts.object("Restore", "bob", "back"), "Completed"); };
      acts.when("a Restore that is Completed", completed, [acts, completed] {
        acts.at(1min, [acts] {
          acts.remove(*acts.object("Restore", "bob", "back"));
          forget(acts);
        });
        acts.at(20min, [acts] { acts.create(restore_of("only")); });
        acts.at(30min, [acts, completed] {
          EXPECT_TRUE(completed()) << "it says at once that there is nothing to do";
          EXPECT_EQ(acts.times_restored("bob", "back"), 1);
        });
      });
    });
  });
}

INSTANTIATE_TEST_SUITE_P(AfterALostBus, Provenance, ::testing::Values(&script::lose_bus));
INSTANTIATE_TEST_SUITE_P(After91Days, Provenance, ::testing::Values(&script::forget_runs));

}  // namespace
}  // namespace kopiur::simulation
