#include "e2e/simulation/regressions/scenario.hpp"
#include "proto/kinds/names.hpp"

/// Run facts are kept for 90 days, and a bus may lose all of them: what is done with a Backup or a claim later goes by what stands in the
/// cluster (status, and seals).
namespace kopiur::simulation {
namespace {

json::value restore_of(std::string const& backup) {
  auto manifest = new_restore("bob", "back", "all", "/pvc/one", "spare", true, false);
  manifest.find("spec")->set("source", json::object{{"backupRef", json::object{{"name", backup}}}});
  return manifest;
}

/// Bob's Backups `first`, `second` and `third` are saved, and no run of them is known any more; then `act`, with the id of a Backup's
/// snapshot.
void forget_runs(script acts, std::function<void(std::function<std::string(char const*)>)> act) {
  for (auto* name : {"first", "second", "third"})
    acts.at(5min, [acts, name] { acts.create(manual_backup("bob", name, "all", "/pvc/one")); });
  auto saved = [acts] {
    return is(acts.object("Backup", "bob", "first"), "Succeeded") && is(acts.object("Backup", "bob", "second"), "Succeeded") &&
           is(acts.object("Backup", "bob", "third"), "Succeeded");
  };
  acts.when("three Backups that were saved", saved, [acts, act] {
    auto ids = std::make_shared<std::map<std::string, std::string>>();
    for (auto* name : {"first", "second", "third"})
      (*ids)[name] = acts.object("Backup", "bob", name)->text("status.snapshot.kopiaSnapshotID");
    acts.lose_bus();
    act([ids](char const* name) { return ids->at(name); });
  });
}

TEST(Provenance, ABackupIsDeletedWithItsSnapshotAfterTheBusLostAll) {
  expect_no_violation(2h, [](script acts) {
    forget_runs(acts, [acts](auto id) {
      acts.at(20min, [acts] { acts.remove(*acts.object("Backup", "bob", "first")); });
      auto gone = [acts, id = id("first")] { return !acts.object("Backup", "bob", "first") && !acts.has_snapshot("bob", id); };
      acts.within(50min, "the end of the Backup and of its snapshot", gone);
    });
  });
}

TEST(Provenance, ABackupIsRestoredAfterTheBusLostAll) {
  expect_no_violation(2h, [](script acts) {
    forget_runs(acts, [acts](auto) {
      acts.at(20min, [acts] { acts.create(restore_of("second")); });
      acts.within(50min, "a Restore of it", [acts] { return is(acts.object("Restore", "bob", "back"), "Completed"); });
    });
  });
}

/// The schedule's later Backups take its place: the recipe keeps three of them, and those of three hours.
TEST(Provenance, ABackupOfASlotIsPrunedAfterTheBusLostAll) {
  expect_no_violation(6h, [](script acts) {
    auto first = [acts]() -> json::value const* {
      for (auto* one : acts.objects("Backup", "bob"))
        if (one->text("metadata.name").starts_with("often-") && is(one, "Succeeded")) return one;
      return nullptr;
    };
    acts.when(
        "a Backup of a slot that was saved", [first] { return first() != nullptr; },
        [acts, first] {
          auto name = std::string(first()->text("metadata.name")), id = std::string(first()->text("status.snapshot.kopiaSnapshotID"));
          acts.lose_bus();
          auto gone = [acts, name, id] { return !acts.object("Backup", "bob", name) && !acts.has_snapshot("bob", id); };
          acts.when("that retention takes it away with its snapshot", gone, [] {});
        });
  });
}

/// Applied again, it is another object: only the claim can tell that it was filled.
TEST(Provenance, ARestoreAppliedAgainAfterTheBusLostAllDoesNotFillItsClaimAgain) {
  expect_no_violation(2h, [](script acts) {
    save_only(acts, 5min, [acts] {
      acts.create(restore_of("only"));
      auto completed = [acts] { return is(acts.object("Restore", "bob", "back"), "Completed"); };
      acts.when("a Restore that is Completed", completed, [acts, completed] {
        acts.at(1min, [acts] {
          acts.remove(*acts.object("Restore", "bob", "back"));
          acts.lose_bus();
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

}  // namespace
}  // namespace kopiur::simulation
