#include <algorithm>

#include "e2e/simulation/regressions/scenario.hpp"
#include "proto/kopiur/names.hpp"

/// Violations that a seed showed, each as a scenario: what users do, and what fails when. Where the instant matters the test tries several,
/// so it does not depend on how long a step takes.
namespace kopiur::simulation {
namespace {

using namespace std::chrono_literals;

/// A Backup of both claims of a tenant: it gets one child for each.
json::value backup_of_all(std::string const& ns, std::string const& name) { return manual_backup(ns, name, "all"); }

/// The Backups created for the claims of `parent`.
std::vector<json::value const*> children_of(script acts, std::string const& ns, std::string_view parent) {
  std::vector<json::value const*> found;
  for (auto* one : acts.objects("Backup", ns))
    if (one->text("metadata.name") != parent && one->text("metadata.name").starts_with(parent)) found.push_back(one);
  return found;
}

constexpr duration moments[] = {10ms, 100ms, 300ms, 1s, 2s, 4s, 8s, 15s, 30s};

/// Seed 20432: after the loss the Backup may be known before its BackupConfig; it must not get a run of its own, which would never end.
TEST(Regression, ABackupOfTwoSourcesEndsThoughTheBusLosesAll) {
  for (auto moment : moments)
    expect_no_violation(1h, [moment](script acts) {
      acts.at(10min, [acts] { acts.create(backup_of_all("ada", "both")); });
      acts.at(10min + moment, [acts] { acts.lose_bus(); });
    });
}

/// Seed 795987437: a replica that has not seen the last change of the children must not write its sum over a newer one.
TEST(Regression, ASumOfChildrenIsNotReplacedByAnOlderOne) {
  expect_no_violation(1h, [](script acts) {
    acts.at(5min, [acts] { acts.make_feeds_late(0.2); });
    for (int i = 0; i < 10; ++i)
      for (auto* ns : {"ada", "bob"})
        acts.at(6min + i * 2min, [acts, ns, i] { acts.create(backup_of_all(ns, "both-" + std::to_string(i))); });
  });
}

/// Seed 805995082: the bus loses the run of a mover that reads a quiesced application, and the application is released. What that mover has
/// read by its end must not count as quiesced.
TEST(Regression, AMoverThatReadOnAfterItsApplicationWasReleasedDoesNotCount) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    expect_no_violation(
        40min,
        [](script acts) {
          acts.at(5min, [acts] { acts.create(backup_of_all("bob", "both")); });
          acts.at(5min + 10s, [acts] { acts.lose_bus(); });
        },
        seed);
}

/// Seed 795839031: the clock goes back while a repository is unreachable. The newest run that opened it must not look old, or the
/// repository stays Failed.
TEST(Regression, ARepositoryThatIsReachableAgainIsReadyThoughTheClockWentBack) {
  expect_no_violation(3h, [](script acts) {
    acts.at(0s, [acts] { acts.set_reachable("bob", false); });
    auto failed = [acts] { return is(acts.object("Repository", "bob", "main"), "Failed"); };
    acts.when("a repository that cannot be opened", failed, [acts] { acts.step_clock(-1h), acts.set_reachable("bob", true); });
    acts.within(1h, "it is Ready", [acts] { return is(acts.object("Repository", "bob", "main"), "Ready"); });
  });
}

/// Seed 20397: a deletion held by deletion protection states so, also if the run of the deleted Backup ends after the deletion.
TEST(Regression, ADeletionThatProtectionHoldsSaysSoThoughTheRunEndsLater) {
  for (auto moment : moments)
    expect_no_violation(3h, [moment](script acts) {
      for (int i = 0; i < 12; ++i)
        acts.at(5min + i * 1min, [acts, i] { acts.create(manual_backup("bob", "old-" + std::to_string(i), "all", "/pvc/one")); });
      acts.at(1h, [acts] { acts.create(manual_backup("bob", "late", "all", "/pvc/two")); });
      acts.at(1h + moment, [acts] {
        for (int i = 0; i < 12; ++i)
          if (auto* one = acts.object("Backup", "bob", "old-" + std::to_string(i))) acts.remove(*one);
        if (auto* one = acts.object("Backup", "bob", "late")) acts.remove(*one);
      });
    });
}

/// Seed 5 of a planted bug: a deletion that waits says that protection holds it as soon as those come that put it under protection, and not
/// two minutes later, when everything is looked at.
TEST(Regression, ADeletionThatWaitsIsHeldWithThoseThatFollow) {
  constexpr int all = 14;  // more than are held together: the mover of some fails
  expect_no_violation(3h, [](script acts) {
    auto name = [](int number) { return "old-" + std::to_string(number); };
    auto suspend = [acts](bool value) {
      acts.edit(*acts.object("Repository", "bob", "main"), [value](json::value& spec) { spec.set("suspend", value); });
    };
    auto first = [acts, name] {
      for (int i = 0; i < all; ++i)
        if (is(acts.object("Backup", "bob", name(i)), "Succeeded")) return i;
      return 0;
    };
    auto waits = std::make_shared<int>(0);
    for (int i = 0; i < all; ++i)
      acts.at(5min + i * 1min, [acts, name, i] { acts.create(manual_backup("bob", name(i), "all", "/pvc/one")); });
    acts.at(1h - 1min, [suspend] { suspend(true); });
    acts.at(1h, [acts, name, first, waits] { acts.remove(*acts.object("Backup", "bob", name(*waits = first()))); });
    acts.at(1h + 50s, [acts, name, waits] {
      for (int i = 0; i < all; ++i)
        if (auto* one = acts.object("Backup", "bob", name(i)); one && i != *waits) acts.remove(*one);
    });
    acts.at(1h + 65s, [acts, name, waits] {
      auto* ready = condition_of(*acts.object("Backup", "bob", name(*waits)), "Ready");
      EXPECT_TRUE(ready && ready->text("reason") == "HeldByDeletionProtection") << (ready ? json::dump(*ready) : "");
    });
    acts.at(2h, [suspend] { suspend(false); });
  });
}

/// Seed 10450: a pin holds the deletion of a saved child. The parent counts the child by its result, and ends.
TEST(Regression, APinThatHoldsTheDeletionOfAChildLetsItsParentEnd) {
  for (auto* ns : {"ada", "bob"})
    expect_no_violation(1h, [ns](script acts) {
      acts.at(10min, [acts, ns] { acts.create(backup_of_all(ns, "both")); });
      auto saved = [acts, ns]() -> json::value const* {
        auto children = children_of(acts, ns, "both");
        auto one = std::ranges::find_if(children, [](auto* each) { return is(each, "Succeeded"); });
        return one == children.end() ? nullptr : *one;
      };
      acts.when("a child that was saved", saved, [acts, ns, saved] {
        auto name = std::string(saved()->text("metadata.name"));
        acts.edit(*saved(), [](json::value& spec) { spec.set("pin", true); });
        acts.remove(*acts.object("Backup", ns, name));
        acts.within(10min, "the end of their parent", [acts, ns] { return is(acts.object("Backup", ns, "both"), "Succeeded"); });
      });
    });
}

/// No seed (observed on the upgrade baseline): a Restore reads the snapshot of a deleted Backup, and the bus loses the run of that
/// deletion.
TEST(Regression, ARestoreAndTheDeletedBackupThatItReadsBothEndThoughTheBusLosesAll) {
  for (auto moment : moments)
    expect_no_violation(1h, [moment](script acts) {
      save_only(acts, 5min, [acts] { acts.create(new_restore("bob", "back", "all", "/pvc/one", "new-back", false, false)); });
      auto committed = [acts] {
        auto* one = acts.object("Restore", "bob", "back");
        return one && !one->text("status.execution.jobName").empty();
      };
      acts.when("a Restore that is committed", committed, [acts, moment] {
        acts.remove(*acts.object("Backup", "bob", "only"));
        acts.at(moment, [acts] {
          acts.lose_bus();
          auto ended = [acts] {
            auto* one = acts.object("Restore", "bob", "back");
            return is(one, "Completed") || is(one, "Failed");
          };
          acts.within(10min, "the end of the Restore", ended);
          acts.within(20min, "the end of the deletion", [acts] { return !acts.object("Backup", "bob", "only"); });
        });
      });
    });
}

/// No seed (conformance review, F1): the bus loses the run of a Restore into an existing claim, and its Job is gone. Only the object's
/// status is left. The mover has written once and must never be started again.
TEST(Regression, ARestoreIntoAClaimThatWasThereIsStartedOnceThoughTheBusLosesAllAndItsJobIsDeleted) {
  for (auto seed : {1U, 2U, 3U, 4U, 6U}) {  // seed 5: the Backup exceeds its quiesce limit
    auto scenario = [](script acts) {
      save_only(acts, 5min, [acts] { acts.create(new_restore("bob", "back", "all", "/pvc/one", "spare", true, false)); });
      acts.when(
          "a mover that has written", [acts] { return acts.times_restored("bob", "back") == 1; },
          [acts] {
            acts.remove_job_of("back");
            acts.lose_bus();
            acts.within(30min, "the end of the Restore", [acts] {
              auto* one = acts.object("Restore", "bob", "back");
              return is(one, "Completed") || is(one, "Failed");
            });
          });
    };
    expect_no_violation(1h, scenario, seed);
  }
}

/// Seed 1795941143: the mover that plans a restore hangs; the act must not wait for it as long as for a mover that writes.
TEST(Regression, ARestoreGoesOnThoughTheMoverThatPlannedItHangs) {
  expect_no_violation(2h, [](script acts) {
    save_only(acts, 5min, [acts] {
      auto planned = new_restore("bob", "back", "all", "/pvc/one", "spare", true, false);
      planned.find("spec")->set("dryRun", true);
      acts.fault("mover", "start", "restore-", "mover hangs");
      acts.create(std::move(planned));
      acts.at(5min, [acts] {
        acts.edit(*acts.object("Restore", "bob", "back"), [](json::value& spec) { spec.set("dryRun", false); });
        acts.within(5min, "the end of the Restore", [acts] { return is(acts.object("Restore", "bob", "back"), "Completed"); });
      });
    });
  });
}

/// Seed 795849967: a held Backup is deleted, its snapshot is retained, and the bus loses everything. The next restore must not use that
/// snapshot as the newest.
TEST(Regression, ARestorePassesOverWhatShrankThoughNothingButTheRepositoryRemembersIt) {
  expect_no_violation(3h, [](script acts) {
    save_only(acts, 5min, [acts] {
      acts.empty_volume("bob", "one");
      auto held = manual_backup("bob", "held", "all", "/pvc/one");
      held.find("spec")->set("deletionPolicy", "Retain");
      acts.create(std::move(held));
    });
    acts.when(
        "a Backup that is held", [acts] { return is(acts.object("Backup", "bob", "held"), "Held"); },
        [acts] {
          auto id = std::string(acts.object("Backup", "bob", "held")->text("status.snapshot.kopiaSnapshotID"));
          acts.remove(*acts.object("Backup", "bob", "held"));
          acts.at(10min, [acts] { acts.lose_bus(); });
          acts.at(20min, [acts, id] {
            EXPECT_TRUE(acts.has_snapshot("bob", id));
            acts.create(new_restore("bob", "back", "all", "/pvc/one", "spare", true, false));
            acts.within(10min, "the end of the Restore", [acts] { return is(acts.object("Restore", "bob", "back"), "Completed"); });
          });
        });
  });
}

/// No seed: each call of a Backup fails once, in each way. This costs time, nothing else.
TEST(Regression, ABackupSucceedsWhicheverOfItsCallsGoesWrong) {
  struct {
    char const *service, *verb, *subject;
  } constexpr calls[] = {
      {"mover-orchestration", "publish", ".run.sim.backup-"},
      {"mover-orchestration", "publish", ".status.sim.Backup.bob.only"},
      {"mover-orchestration", "publish", ".cmd.sim.gateway.create-job.backup-"},
      {"gateway", "create job", "backup-"},
      {"gateway", "publish", ".answer.sim.gateway.create-job.backup-"},
      {"gateway", "publish", ".resource.sim.Job.bob.backup-"},
      {"gateway", "write status", "only"},
  };
  for (auto const& call : calls)
    for (auto* what : {"lost_before", "lost_after", "late", "twice", "crash_before", "crash_after"})
      expect_no_violation(20min, [call, what](script acts) {
        acts.at(5min, [acts, call, what] { acts.fault(call.service, call.verb, call.subject, what); });
        save_only(acts, 5min, [] {});
      });
}

/// Seed 805877683: a Backup of several sources may be seen before its BackupConfig; it must not fail for naming no source.
TEST(Regression, ABackupOfAllSourcesMayComeBeforeItsRecipe) {
  for (auto moment : moments)
    expect_no_violation(30min, [moment](script acts) {
      acts.at(10min, [acts, moment] {
        acts.create(manual_backup("bob", "both", "later"));
        acts.at(moment, [acts] {
          acts.create(config_of_claims("bob", "later", {"one", "two"}));
          acts.within(10min, "the end of it", [acts] { return is(acts.object("Backup", "bob", "both"), "Succeeded"); });
        });
      });
    });
}

/// A separate schedule, every ten minutes.
json::value every_ten_minutes(std::string const& config, std::string const& policy) {
  return schedule_of("bob", "mine", config, R"("cron":"*/10 * * * *","concurrencyPolicy":")" + policy + R"(")");
}

/// The Backups of that schedule, of this source (empty: any), in this phase (empty: any).
std::ptrdiff_t made(script acts, std::string_view path, std::string_view phase) {
  return std::ranges::count_if(acts.objects("Backup", "bob"), [&](auto* one) {
    bool fits = path.empty() || one->text("spec.sourcePath") == path;
    return one->text("metadata.name").starts_with("mine-") && fits && (phase.empty() || is(one, phase));
  });
}

/// conformance.md S1: of two claims one is missing; the other one must be saved at every slot.
TEST(Regression, AMissingClaimKeepsNoOtherOneFromItsSlots) {
  for (auto* policy : {"Forbid", "Allow", "Replace"})
    expect_no_violation(90min, [policy](script acts) {
      acts.create(config_of_claims("bob", "half", {"one", "none"}));
      acts.create(every_ten_minutes("half", policy));
      acts.at(89min, [acts, policy] {
        EXPECT_GE(made(acts, "/pvc/one", "Succeeded"), 3) << policy << ": retention keeps three";
        EXPECT_GE(made(acts, "/pvc/none", "Failed"), 3) << policy;
        EXPECT_LE(made(acts, "/pvc/none", "Pending"), 2) << policy << ": they pile up";
        auto* one = acts.object("BackupSchedule", "bob", "mine");
        auto last = instant_from(one->text("status.lastSchedule.scheduledAt"));
        auto next = instant_from(one->text("status.nextSchedule.at"));
        EXPECT_TRUE(last && next && *next - *last == 10min) << policy << ": a slot was skipped";
      });
    });
}

/// conformance.md S2: under each policy no Backup is created during a suspension, and one afterwards that makes up for the slots.
TEST(Regression, WhatIsSuspendedMakesNoBackupsAndIsMadeUpForOnce) {
  for (auto* kind : {"BackupConfig", "Repository"})
    for (auto* policy : {"Forbid", "Allow", "Replace"})
      expect_no_violation(90min, [kind, policy](script acts) {
        auto name = std::string_view(kind) == "Repository" ? "main" : "half";
        auto suspend = [=](bool suspended) {
          acts.edit(*acts.object(kind, "bob", name), [suspended](json::value& spec) { spec.set("suspend", suspended); });
        };
        acts.create(config_of_claims("bob", "half", {"one"}));
        acts.at(15min, [=] {
          suspend(true);
          acts.create(every_ten_minutes("half", policy));
        });
        acts.at(69min, [=] {
          EXPECT_EQ(made(acts, "", ""), 0) << kind << ", " << policy;
          suspend(false);
          acts.within(1min, "one Backup that makes up for them", [=] { return made(acts, "", "Succeeded") == 1; });
          acts.at(1min, [=] { EXPECT_EQ(made(acts, "", ""), 1) << kind << ", " << policy; });
        });
      });
}

}  // namespace
}  // namespace kopiur::simulation
