#include "services/mover-orchestration/test/scene.hpp"

namespace kopiur::mover_orchestration {
namespace {

TEST(Engine, TakesABackupFromDueToDone) {
  scene s;
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::Prepared);
  EXPECT_EQ(s.asked, asks{"acquire"});
  s.now += 1s;
  s.settle();
  EXPECT_FALSE(s.run.waits) << "its request is on its way";
  s.grant(s.now + 120s);
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::Committed);
  EXPECT_EQ(s.run.attempt, 1);
  EXPECT_EQ(s.run.leases.at(0).fence, 7u);
  EXPECT_EQ(s.asked, asks{"create-job"});
  s.job = job_status{.phase = job_phase::Running};
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::Created);
  EXPECT_TRUE(s.asked.empty());
  s.finish({.outcome = outcome::Succeeded, .snapshot = snapshot_row{.id = "s1"}});
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::TerminalObserved);
  EXPECT_EQ(s.asked, (asks{"delete-job", "release"}));
  s.job.reset(), s.leases.clear(), s.answers["delete-job.r-1"] = {};
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::FollowThroughComplete);
  EXPECT_EQ(s.run.outcome, run_outcome::Succeeded);
  EXPECT_EQ(s.run.result->as<kopia_result>()->snapshot->id, "s1");
}

TEST(Engine, AsksTheSameAgainFromTheSameState) {
  scene s;
  s.settle();
  s.grant(s.now + 120s);
  s.settle();
  auto before = s.events.size();
  s.settle();
  EXPECT_EQ(s.asked, asks{"create-job"});
  EXPECT_EQ(s.events.size(), before) << "looking twice at the same world is no event";
}

TEST(Engine, RenewsALeaseThatRunsOut) {
  scene s;
  s.start();
  s.now += 41s;
  s.settle();
  EXPECT_EQ(s.asked, asks{"renew"});
  EXPECT_TRUE(s.wake);
}

/// Clusters share a bus, so a lease names cluster and run.
TEST(Engine, ALeaseOfAnotherClustersRunIsNotItsOwn) {
  scene s;
  s.settle();
  s.grant(s.now + 120s);
  s.leases["repo/r1"].holders[0].cluster = "other";
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::Prepared);
  s.start();
  s.leases["repo/r1"].holders.push_back({"other", "r", lease_mode::Shared, s.now + 1s, 8});
  s.settle();
  EXPECT_TRUE(s.asked.empty()) << "it renews its own alone";
}

TEST(Engine, StandsInLineWithoutAWordAtEachTurn) {
  scene s;
  s.settle();
  s.now += 1s;
  s.settle();
  auto line = [&](std::string holder) {
    s.leases["repo/r1"] = {.key = "repo/r1", .holders = {{"c", holder, lease_mode::Exclusive, s.now + 120s, 3}}};
    s.line = {{"c", "first", lease_mode::Exclusive, {}, s.now, s.now + 60s}, {"c", "r", lease_mode::Shared, {}, s.now, s.now + 60s}};
    s.settle();
  };
  line("a");
  EXPECT_TRUE(s.asked.empty()) << "it is known to stand in line";
  auto before = s.events.size();
  line("b");
  EXPECT_EQ(s.events.size(), before) << "a fact for each change of the holder, by each of a long line, would be a flood";
  s.now += 61s;
  line("c");
  EXPECT_EQ(s.events.size(), before + 1);
  EXPECT_EQ(s.run.waits->message, "Waiting for repo/r1: held by c; 1 ahead of this one.");
  s.now += 31s;
  s.settle();
  EXPECT_EQ(s.asked, asks{"acquire"}) << "or it is forgotten";
}

/// With 5,000 in line, one update a minute of each was 83 writes a second to the cluster.
TEST(Engine, OfALongLineEachIsToldLessOftenTheMoreAreBeforeIt) {
  scene s;
  s.settle();
  s.leases["repo/r1"] = {.key = "repo/r1", .holders = {{"c", "a", lease_mode::Exclusive, s.now + 1h, 3}}};
  for (int i = 0; i < 1000; ++i) s.line.push_back({"c", "before-" + std::to_string(i), lease_mode::Exclusive, {}, s.now, s.now + 1h});
  s.line.push_back({"c", "r", lease_mode::Shared, {}, s.now, s.now + 1h});
  s.now += 1s;
  s.settle();
  ASSERT_TRUE(s.run.waits);
  auto before = s.events.size();
  EXPECT_EQ(*s.wake, s.now + 2000s) << "and has nothing to do until then";
  s.leases["repo/r1"].holders[0].run = "b";
  s.now += 1999s;
  s.settle();
  EXPECT_EQ(s.events.size(), before);
  s.now += 1s;
  s.settle();
  EXPECT_EQ(s.events.size(), before + 1);
}

TEST(Engine, TriesAgainAfterARetryableFailureAndOnlySoOften) {
  scene s;
  s.start();
  for (int attempt = 1; attempt <= 3; ++attempt) {
    s.finish({.outcome = outcome::Failed,
              .failure = run_failure{.class_ = kopia_failure::Unreachable, .message = "no route", .retryable = true}});
    s.settle();
    if (attempt == 3) break;
    EXPECT_EQ(s.run.stage, run_stage::Prepared);
    EXPECT_EQ(s.wake, std::min(*s.run.not_before, s.leases["repo/r1"].holders[0].until - renew_below));
    s.job.reset();
    s.now += backoff(attempt), s.grant(s.now + 120s);
    s.settle();
    s.job = job_status{.phase = job_phase::Running}, s.job_of = attempt + 1;
    s.settle();
    EXPECT_EQ(s.run.attempt, attempt + 1);
  }
  EXPECT_EQ(s.run.stage, run_stage::TerminalObserved);
  EXPECT_EQ(s.run.outcome, run_outcome::Failed);
  EXPECT_EQ(s.run.failure->class_, kopia_failure::Unreachable);
}

TEST(Engine, AnAttemptEndsOnlyWhenNothingOfItRunsAnyMore) {
  scene s;
  s.start();
  for (auto phase : {job_phase::Finished, job_phase::Lost}) {
    s.job = job_status{.phase = phase, .pods_gone = false};
    s.settle();
    EXPECT_EQ(s.run.stage, run_stage::Created) << "the next attempt would run beside what is left of this one";
  }
  s.job->pods_gone = true;
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::Prepared);
}

/// Simulation, seed 10249: the object was deleted two milliseconds after its creation. A slot must not get a second Backup.
TEST(Engine, AnObjectThatWasDeletedAtOnceIsNotMadeAgain) {
  scene s;
  s.run.order.create = json::value::make_object(), s.run.order.object.uid = "", s.run.changed_at = s.now;
  s.exists = false;
  s.settle();
  EXPECT_EQ(s.asked, asks{"create-object"});
  s.answers["create-object.r"] = {.uid = "u"};
  s.now += 1s;
  s.settle();
  EXPECT_TRUE(s.asked.empty()) << "soon it is told";
  s.now += 20s;
  s.settle();
  s.now += 20s;
  s.settle();
  EXPECT_EQ(s.asked, asks{"read-object"});
  s.answers["read-object.r"] = {.uid = "u"};
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::Due) << "it is there: the mirror is behind";
  s.answers["read-object.r"] = {.code = answer_code::NotFound};
  s.settle();
  EXPECT_EQ(s.run.outcome, run_outcome::Failed);
  EXPECT_EQ(s.run.failure->class_, failure_class::Cancelled);
}

TEST(Engine, ACancelledRunDoesNotWaitForItsBackOff) {
  scene s;
  s.fail_first_attempt();
  s.cancel = "the namespace is being deleted";
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::Committed) << "the sweep of what the attempt may have left";
  EXPECT_TRUE(s.run.undoing);
}

TEST(Engine, ABackOffEndsWhereTheClockIsSteppedBack) {
  scene s;
  s.fail_first_attempt();
  s.now -= 46min, s.grant(s.now + 120s);
  s.settle();
  EXPECT_EQ(s.run.attempt, 2) << "it would have waited for 46 minutes (simulation, seed 20246)";
}

TEST(Engine, AMoverThatSomebodyElseStoppedIsTriedAgain) {
  scene s;
  s.start();
  s.finish({.outcome = outcome::Failed,
            .failure = run_failure{.class_ = failure_class::Cancelled, .message = "kopia was stopped", .retryable = false}});
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::Prepared) << "a host that shuts down cancels nothing";
  EXPECT_EQ(s.events.back(), "attemptFailed");
  EXPECT_EQ(s.run.failure->class_, failure_class::MoverLost);
}

TEST(Engine, AFailureThatNoRetryCuresEndsTheRun) {
  scene s;
  s.start();
  s.finish({.outcome = outcome::Failed, .failure = run_failure{.class_ = kopia_failure::WrongPassword, .retryable = false}});
  s.settle();
  EXPECT_EQ(s.run.outcome, run_outcome::Failed);
  EXPECT_EQ(s.run.attempt, 1);
}

/// Seed 805895849: the bus is lost during the sweep of a cancelled run. The run is created again and reaches the same attempt number; the
/// sweep must not count as its snapshot.
TEST(Engine, TheJobOfAnotherLifeIsNotTakenForItsOwnWhereItDidSomethingElse) {
  scene s;
  s.start();
  s.finish({.outcome = outcome::Succeeded}, true);
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::Prepared) << "it took away what a cancelled run had made";
  EXPECT_EQ(s.run.failure->class_, failure_class::MoverLost);
  scene other;
  other.start();
  other.cancel = "the user", other.finish({.outcome = outcome::Failed}), other.settle();
  ASSERT_TRUE(other.run.undoing);
  other.job.reset(), other.grant(other.now + 120s), other.settle();
  other.finish({.outcome = outcome::Succeeded}, true);
  other.settle();
  EXPECT_TRUE(other.run.undoing) << "that one saved a snapshot";
  EXPECT_EQ(other.run.undo_attempts, 1);
}

TEST(Engine, AnAtMostOncePlanIsNeverSubmittedTwice) {
  scene s;
  auto plan = backup_plan();
  plan.class_ = plan_class::AtMostOnce;
  s.prepares = ready{plan};
  s.receipt = false;
  s.settle();
  s.grant(s.now + 120s);
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::Committed);
  EXPECT_TRUE(s.asked.empty()) << "no create before the receipt stands in the object";
  s.receipt = true;
  s.settle();
  EXPECT_EQ(s.asked, asks{"create-job"});
  s.job = job_status{.phase = job_phase::Running};
  s.settle();
  s.job = job_status{.phase = job_phase::Lost, .pods_gone = true};
  s.settle();
  EXPECT_EQ(s.run.outcome, run_outcome::Unknown);
  EXPECT_EQ(s.run.attempt, 1);
}

/// The bus has lost everything, and the run is ordered again.
TEST(Engine, AnAtMostOncePlanThatItsObjectShowsAsCommittedIsNotSubmittedAgain) {
  for (bool runs : {true, false}) {
    scene s;
    auto plan = backup_plan();
    plan.class_ = plan_class::AtMostOnce;
    s.prepares = ready{plan}, s.committed_before = 1;
    if (runs) s.job = job_status{.phase = job_phase::Running};
    s.grant(s.now + 120s);
    s.settle();
    EXPECT_EQ(s.run.stage, run_stage::Created);
    EXPECT_EQ(s.run.attempt, 1);
    EXPECT_EQ(s.asked, runs ? asks{} : asks{"delete-job"}) << "it is gone: the proof of that";
    if (runs)
      s.finish({.outcome = outcome::Succeeded});
    else
      s.answers["delete-job.r-1"] = {.code = answer_code::NotFound};
    s.settle();
    EXPECT_EQ(s.run.outcome, runs ? run_outcome::Succeeded : run_outcome::Unknown);
  }
}

TEST(Engine, ALostLeaseAndARemovedAttemptAreTwoAnswers) {
  for (auto code : {answer_code::LeaseLost, answer_code::Removed}) {
    scene s;
    auto plan = backup_plan();
    plan.class_ = plan_class::AtMostOnce;
    s.prepares = ready{plan};
    s.settle();
    s.grant(s.now + 120s);
    s.settle();
    s.answers["create-job.r-1"] = {.code = code};
    s.settle();
    EXPECT_EQ(s.asked, asks{"delete-job"}) << "only a proof that nothing runs lets it go on";
    s.answers["delete-job.r-1"] = {.code = answer_code::Ok};
    s.settle();
    if (code == answer_code::Removed) EXPECT_EQ(s.run.outcome, run_outcome::Unknown) << "it may have acted";
    if (code == answer_code::LeaseLost) EXPECT_EQ(s.run.attempt, 2) << "nothing was started, and it holds its leases again";
  }
}

TEST(Engine, SaysWhyItsMoverCannotBeStartedYet) {
  scene s;
  s.start_but("another mover has the claim");
  ASSERT_TRUE(s.run.waits);
  EXPECT_EQ(s.run.waits->reason, "CreatingMover");
  EXPECT_NE(s.run.waits->message.find("another mover has the claim"), std::string::npos);
  EXPECT_EQ(s.asked, asks{"create-job"});
  EXPECT_EQ(s.wake, s.now + 15s);
}

TEST(Engine, WhatCannotBeStartedEndsAtTheDeadlineWithProof) {
  scene s;
  s.start_but("the pod web-0 mounts the claim data");
  s.now = *s.run.prepared_at + s.run.plan->deadline + 1s;
  s.settle();
  EXPECT_EQ(s.asked.at(0), "delete-job") << "what was asked for may be on its way";
  EXPECT_EQ(s.run.stage, run_stage::Committed);
  s.answers["delete-job.r-1"] = {.code = answer_code::Ok};
  s.settle();
  EXPECT_EQ(s.run.outcome, run_outcome::Failed);
  EXPECT_EQ(s.run.failure->class_, failure_class::DeadlineExceeded);
  EXPECT_NE(s.run.failure->message.find("the pod web-0 mounts the claim data"), std::string::npos);
}

/// With many runs, lease requests take seconds. To report that one is in flight would cost a write per Backup, and another when it is
/// granted.
TEST(Engine, TellsOfALeaseOnceItStandsInLineOrNobodyAnswers) {
  scene s;
  s.settle(), s.now += 14s, s.settle();
  EXPECT_FALSE(s.run.waits);
  s.leases["repo/r1"] = {.key = "repo/r1", .holders = {{"c", "other", lease_mode::Exclusive, s.now + 120s, 6}}};
  s.line = {{.cluster = "c", .run = "r", .since = s.now, .until = s.now + 60s}};
  s.settle();
  ASSERT_TRUE(s.run.waits);
  EXPECT_EQ(s.run.waits->reason, "WaitingForLease");
  scene silent;
  silent.settle(), silent.now += 15s, silent.settle();
  EXPECT_TRUE(silent.run.waits) << "the service that grants may be away";
}

/// The reason why a Job could not be scheduled is removed from the status when its mover runs.
TEST(Engine, SaysSinceWhenTheMoverRunsAndNoLongerWhyItWaited) {
  scene s;
  s.grant(s.now + 120s);
  s.settle();
  s.job = job_status{.phase = job_phase::Starting};
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::Created);
  EXPECT_FALSE(s.run.started_at) << "its pod may wait for a day";
  s.job->reason = "Unschedulable", s.job->message = "0/3 nodes are available.";
  s.settle(), s.now += 1s, s.settle();
  ASSERT_TRUE(s.run.waits);
  s.job = job_status{.phase = job_phase::Running, .started_at = s.now};
  s.settle();
  EXPECT_EQ(s.events.back(), "started");
  EXPECT_EQ(s.run.started_at, s.now);
  EXPECT_FALSE(s.run.waits);
  auto facts = s.events.size();
  s.settle();
  EXPECT_EQ(s.events.size(), facts) << "told once";
}

TEST(Engine, AJobThatVanishedIsLostOnlyWithProof) {
  scene s;
  s.start();
  s.job.reset();
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::Created);
  EXPECT_EQ(s.asked, asks{"delete-job"});
  s.answers["delete-job.r-1"] = {.code = answer_code::Ok};
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::Prepared);
  EXPECT_EQ(s.events.back(), "attemptFailed");
}

TEST(Engine, CancellingStopsTheMoverThenUndoesThenFails) {
  scene s;
  s.start();
  s.cancel = "the user asked";
  s.settle();
  EXPECT_EQ(s.asked, asks{"delete-job"});
  s.job = job_status{.phase = job_phase::Finished, .pods_gone = true};
  s.settle();
  EXPECT_TRUE(s.run.undoing);
  EXPECT_EQ(s.run.stage, run_stage::Committed) << "the sweep is a Job of its own";
  EXPECT_EQ(s.run.attempt, 2);
  s.finish({.outcome = outcome::Succeeded});
  s.settle();
  EXPECT_EQ(s.run.outcome, run_outcome::Failed);
  EXPECT_EQ(s.run.failure->class_, failure_class::Cancelled);
  EXPECT_FALSE(s.run.result);
}

TEST(Engine, CancelledBeforeTheJobWasMadeNeedsTheProofThatItIsNot) {
  scene s;
  s.settle();
  s.grant(s.now + 120s);
  s.settle();
  s.cancel = "Replace";
  s.settle();
  EXPECT_EQ(s.asked, asks{"delete-job"});
  EXPECT_EQ(s.run.stage, run_stage::Committed);
}

TEST(Engine, AResultOfAnotherRunIsNoResult) {
  scene s;
  s.start();
  s.finish({.outcome = outcome::Succeeded});
  s.job->result = kopia_result{.run = "somebody else", .outcome = outcome::Succeeded};
  s.settle();
  EXPECT_EQ(s.events.back(), "attemptFailed");
}

/// Seed 232 with many bus losses: a run is ordered again and cannot be planned, and a Job of its earlier life exists. The service must not
/// fail.
TEST(Engine, ARefusedRunLeavesTheJobsOfItsFormerLifeAlone) {
  scene it;
  it.prepares = refused{{.class_ = failure_class::InvalidWork, .message = "No."}};
  it.older_jobs = {1};
  it.settle();
  EXPECT_EQ(it.run.stage, run_stage::FollowThroughComplete);
  EXPECT_TRUE(it.asked.empty());
}

TEST(Engine, AfterHooksRunAlsoWhenTheSnapshotFailed) {
  scene s;
  auto plan = backup_plan();
  plan.before = {{.name = "freeze"}};
  plan.after = {{.name = "thaw"}};
  s.prepares = ready{plan};
  s.settle();
  s.grant(s.now + 120s);
  s.settle();
  EXPECT_EQ(s.asked, asks{"call-http"});
  s.answers["call-http.r-before-0"] = {.code = answer_code::Unavailable, .message = "refused"};
  s.settle();
  EXPECT_EQ(s.run.failure->class_, failure_class::HookFailed);
  EXPECT_EQ(s.asked, asks{"call-http"}) << "the thaw, although nothing was backed up";
  EXPECT_EQ(s.run.stage, run_stage::TerminalObserved);
}

/// A Backup whose application is quiesced: the before-hook has succeeded, and its Job is requested.
void freeze(scene& it, rest_until rests, std::optional<duration> at_most) {
  auto plan = backup_plan();
  plan.before = {{.name = "freeze"}}, plan.after = {{.name = "thaw"}};
  plan.rests = rests, plan.rests_at_most = at_most;
  it.prepares = ready{plan};
  it.settle();
  it.grant(it.now + 10min);
  it.settle();
  it.answers["call-http.r-before-0"] = {.code = answer_code::Ok};
  it.settle();
  ASSERT_EQ(it.run.stage, run_stage::Committed);
}
bool thaws(scene const& it) { return std::ranges::find(it.asked, "call-http") != it.asked.end(); }

/// conformance.md H2: the application is released once a copy exists, not after the upload, which may take up to two days.
TEST(Rest, EndsAsSoonAsThereIsACopy) {
  scene it;
  freeze(it, rest_until::Copied, 300s);
  EXPECT_FALSE(thaws(it)) << "the snapshot is not made";
  it.job = job_status{.phase = job_phase::Starting};
  it.settle();
  EXPECT_TRUE(thaws(it));
  it.answers["call-http.r-after-0"] = {.code = answer_code::Ok};
  it.settle();
  EXPECT_FALSE(thaws(it)) << "once";
  EXPECT_EQ(it.run.after_hooks_done, 1);
  it.now += 1h, it.grant(it.now + 10min), it.job->phase = job_phase::Running, it.settle();
  EXPECT_FALSE(it.run.cancelled) << "it may be uploaded for as long as it takes";
  it.finish({.outcome = outcome::Succeeded});
  it.settle();
  EXPECT_FALSE(thaws(it));
  EXPECT_EQ(it.run.outcome, run_outcome::Succeeded);
}

TEST(Rest, EndsWhenTheMoverOfACloneRuns) {
  scene it;
  freeze(it, rest_until::Started, 300s);
  it.job = job_status{.phase = job_phase::Starting};
  it.settle();
  EXPECT_FALSE(thaws(it));
  it.job->phase = job_phase::Running;
  it.settle();
  EXPECT_TRUE(thaws(it));
}

TEST(Rest, LastsUntilTheSourceWasRead) {
  scene it;
  freeze(it, rest_until::Read, {});
  it.job = job_status{.phase = job_phase::Running};
  it.settle();
  it.now += 12h, it.grant(it.now + 10min), it.settle();
  EXPECT_FALSE(thaws(it));
  it.finish({.outcome = outcome::Succeeded});
  it.settle();
  EXPECT_TRUE(thaws(it));
}

/// The after-hooks run first, at once; then the Job is deleted, and what it may have saved.
TEST(Rest, ThatIsTooLongEndsAndTheBackupFails) {
  scene it;
  freeze(it, rest_until::Read, 300s);
  it.job = job_status{.phase = job_phase::Running};
  it.settle();
  EXPECT_LE(it.wake, it.now + 300s);
  it.now += 300s, it.grant(it.now + 10min), it.settle();
  EXPECT_EQ(it.run.cancelled_as, failure_class::QuiesceTimeout);
  EXPECT_EQ(it.asked, (asks{"delete-job", "call-http"}));
  it.answers["call-http.r-after-0"] = {.code = answer_code::Ok};
  it.settle();
  EXPECT_EQ(it.asked, asks{"delete-job"});
  it.job->phase = job_phase::Lost, it.job->pods_gone = true;
  it.settle();
  EXPECT_TRUE(it.run.undoing) << "what it may have saved goes";
  it.job.reset();
  it.settle();
  it.finish({.outcome = outcome::Succeeded});
  it.settle();
  EXPECT_EQ(it.run.outcome, run_outcome::Failed);
  EXPECT_EQ(it.run.failure->class_, failure_class::QuiesceTimeout);
  EXPECT_NE(it.run.failure->message.find("hooks.quiesceTimeoutSeconds"), std::string::npos);
  EXPECT_EQ(it.run.after_hooks_done, 1);
}

/// The mover ends at the moment the application is released: its last reads may be later than the quiesced moment.
TEST(Rest, WhatEndsAfterItIsNotKept) {
  scene it;
  freeze(it, rest_until::Read, 300s);
  it.job = job_status{.phase = job_phase::Running};
  it.settle();
  it.now += 301s, it.grant(it.now + 10min);
  it.finish({.outcome = outcome::Succeeded});
  it.settle();
  EXPECT_TRUE(it.run.undoing);
  EXPECT_NE(it.run.outcome, run_outcome::Succeeded);
}

/// Simulation: the bus is lost during the after-hook, whose answer arrives when the application is quiesced again.
TEST(Rest, AnswersOfAFormerLifeAreNotItsOwn) {
  scene it;
  freeze(it, rest_until::Read, {});
  std::vector<std::string> keys;
  auto look = [&] {
    observation seen{.now = it.now};
    seen.prepare = [&] { return it.prepares; };
    seen.rests_already = [] { return std::nullopt; };
    seen.lease = [&](std::string_view) { return &it.leases.at("repo/r1"); };
    seen.answer = [&](std::string_view verb, std::string_view key) -> answer const* {
      if (verb == "call-http") keys.emplace_back(key);
      return nullptr;
    };
    it.run.stage = run_stage::TerminalObserved;
    (void)advance(it.run, seen);
  };
  look();
  it.run.rests_since = *it.run.rests_since + 1min;
  look();
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_NE(keys[0], keys[1]);
  EXPECT_TRUE(keys[0].starts_with("r-after-0")) << "by its beginning the answer finds its run";
}

/// Simulation: the Backup is deleted while its before-hook runs. The hook must not quiesce the application after it was released.
TEST(Rest, TheHookInHandEndsBeforeTheApplicationIsLetGo) {
  for (auto code : {answer_code::Ok, answer_code::Unavailable}) {
    scene it;
    auto plan = backup_plan();
    plan.before = {{.name = "freeze"}}, plan.after = {{.name = "thaw"}};
    it.prepares = ready{plan};
    it.settle();
    it.grant(it.now + 10min);
    it.settle();
    it.cancel = "it was deleted";
    it.answers["call-http.r-after-0"] = {.code = answer_code::Ok};
    it.settle();
    EXPECT_EQ(it.run.stage, run_stage::TerminalObserved);
    EXPECT_EQ(it.run.after_hooks_done, 0) << "the freeze may still come";
    EXPECT_EQ(it.asked, asks{"call-http"}) << "or was never asked for";
    it.answers["call-http.r-before-0"] = {.code = code};
    it.settle();
    EXPECT_EQ(it.run.after_hooks_done, 1);
    EXPECT_EQ(it.run.failure->class_, failure_class::Cancelled);
  }
}

/// Seed 805890953: a clock that is stepped back must not extend the quiesce period.
TEST(Rest, AClockThatIsSteppedBackDoesNotMakeItLonger) {
  for (auto step : {200s, 3600s}) {
    scene it;
    freeze(it, rest_until::Read, 300s);
    it.job = job_status{.phase = job_phase::Running};
    it.settle();
    it.now -= step, it.grant(it.now + 10min), it.settle();
    EXPECT_EQ(it.run.cancelled.has_value(), step > 300s) << "a small step does not end it";
  }
}

/// If the bus is lost, only the object shows that the application must be released.
TEST(Rest, DoesNotBeginBeforeTheObjectShowsThatItMay) {
  scene it;
  auto plan = backup_plan();
  plan.before = {{.name = "freeze"}}, plan.after = {{.name = "thaw"}};
  it.prepares = ready{plan};
  it.receipt = false;
  it.settle(), it.grant(it.now + 10min), it.settle();
  EXPECT_EQ(it.asked, asks{});
  EXPECT_FALSE(it.run.rests_since);
  it.now += 61s, it.grant(it.now + 40s), it.settle();
  EXPECT_EQ(it.run.waits->reason, "WritingReceipt");
  EXPECT_EQ(it.asked, asks{"renew"}) << "and keeps its place";
  it.receipt = true, it.grant(it.now + 10min), it.settle();
  EXPECT_EQ(it.asked, asks{"call-http"});
}

/// A run that has only after-hooks, for an application quiesced in an earlier life, runs them, but never while another run needs it
/// quiesced.
TEST(Rest, IsEndedByHooksAfterAloneAndNeverOfAnotherRun) {
  scene it;
  run_plan plan{.gathers = true};
  plan.after = {{.name = "thaw"}};
  it.prepares = ready{plan};
  it.gathers_others = false;
  it.holder = "backup-1";
  it.settle(), it.now += 300ms, it.settle();
  EXPECT_EQ(it.run.waits->reason, "ApplicationRests");
  it.holder.reset(), it.settle();
  EXPECT_TRUE(thaws(it));
  it.answers["call-http.r-after-0"] = {.code = answer_code::Ok};
  it.settle();
  EXPECT_EQ(it.run.stage, run_stage::FollowThroughComplete);
  EXPECT_EQ(it.run.outcome, run_outcome::Succeeded);
}

/// The CSI driver does not create the snapshot.
TEST(Rest, IsNotHeldUpByACopyThatDoesNotCome) {
  scene it;
  freeze(it, rest_until::Copied, 300s);
  it.answers["create-job.r-1"] = {.code = answer_code::Unavailable, .message = "the snapshot is not ready"};
  it.now += 301s, it.grant(it.now + 10min), it.settle();
  EXPECT_TRUE(thaws(it));
  EXPECT_EQ(it.run.cancelled_as, failure_class::QuiesceTimeout);
}

TEST(Rest, EndsAtOnceWhereTheRunIsCancelled) {
  scene it;
  freeze(it, rest_until::Read, {});
  it.job = job_status{.phase = job_phase::Running};
  it.settle();
  it.cancel = "the user";
  it.settle();
  EXPECT_TRUE(thaws(it));
  it.finish({.outcome = outcome::Succeeded});
  it.settle();
  EXPECT_TRUE(it.run.undoing) << "it was read while the application worked again";
}

/// After-hooks also run in a plan without before-hooks.
TEST(Rest, AfterHooksNeedNoBeforeHooks) {
  scene it;
  auto plan = backup_plan();
  plan.after = {{.name = "ping"}};
  it.prepares = ready{plan};
  it.start();
  EXPECT_FALSE(thaws(it));
  it.finish({.outcome = outcome::Succeeded});
  it.settle();
  EXPECT_TRUE(thaws(it));
}

TEST(Engine, AWaitIsToldOnceAndEndsAtTheDeadline) {
  scene s;
  s.settle();
  s.now += 1s;
  s.settle();
  auto told = s.events.size();
  s.now += 1s;
  s.settle();
  EXPECT_EQ(s.events.size(), told);
  s.now += 49h;
  s.settle();
  EXPECT_EQ(s.run.failure->class_, failure_class::DeadlineExceeded);
}

TEST(Engine, ARunThatWaitsForMonthsSaysSoBeforeItsFactAgesOut) {
  scene it;
  it.prepares = wait{{"RepositoryMissing", "Waiting."}, {}, {}};
  it.settle();
  auto told = it.events.size();
  it.now += std::chrono::hours(24 * 59);
  it.settle();
  EXPECT_EQ(it.events.size(), told);
  it.now += std::chrono::hours(24 * 2);
  it.settle();
  EXPECT_EQ(it.events.size(), told + 1);
  EXPECT_EQ(it.run.changed_at, it.now);
}

TEST(Backoff, DoublesToTenMinutes) {
  EXPECT_EQ(backoff(1), 10s);
  EXPECT_EQ(backoff(3), 40s);
  EXPECT_EQ(backoff(50), 10min);
}

/// A wait for a claim that is never created.
preparation missing_claim() {
  return wait{.why = {"ClaimMissing", "Waiting for the claim."}, .look_again = {}, .asks = {}, .at_most = 900s};
}

/// conformance.md S1: such a wait has a limit.
TEST(Precondition, WhatIsMissingForTooLongEndsTheRun) {
  scene it;
  it.prepares = missing_claim();
  it.settle();
  it.now += 1s, it.settle();
  EXPECT_EQ(it.run.waits->reason, "ClaimMissing");
  EXPECT_EQ(it.wake, it.now - 1s + 900s) << "counted from the first look";
  it.now += 898s, it.settle();
  EXPECT_EQ(it.run.stage, run_stage::Due);
  it.now += 1s, it.settle();
  EXPECT_EQ(it.run.stage, run_stage::FollowThroughComplete);
  EXPECT_EQ(it.run.failure->class_, failure_class::PreconditionMissing);
  EXPECT_TRUE(it.run.failure->message.starts_with("ClaimMissing: Waiting for the claim. It waited longer than 15m"))
      << it.run.failure->message;
}

TEST(Precondition, TimeInWhichNobodyCouldBringItDoesNotCount) {
  scene it;
  it.prepares = missing_claim();
  it.settle();
  it.now += 1h, it.unwatched = 50min, it.settle();
  EXPECT_EQ(it.run.stage, run_stage::Due);
  EXPECT_EQ(it.wake, it.now + 5min);
  it.now += 5min, it.settle();
  EXPECT_EQ(it.run.stage, run_stage::FollowThroughComplete);
}

TEST(Precondition, ThatComesInTimeStartsTheRun) {
  scene it;
  it.prepares = missing_claim();
  it.settle();
  it.now += 899s, it.settle();
  it.prepares = ready{backup_plan()};
  it.settle();
  EXPECT_EQ(it.run.stage, run_stage::Prepared);
  EXPECT_FALSE(it.run.missing_since);
}

TEST(Precondition, AWaitThatAUserEndsHasNoDeadlineAndBeginsTheNextOneAfresh) {
  scene it;
  it.prepares = missing_claim();
  it.settle();
  it.now += 800s, it.prepares = wait{.why = {"ConfigSuspended", "Suspended."}};
  it.settle();
  it.now += 48h, it.settle();
  EXPECT_EQ(it.run.stage, run_stage::Due);
  it.prepares = missing_claim();
  it.settle();
  it.now += 200s, it.settle();
  EXPECT_EQ(it.run.stage, run_stage::Due);
  it.now += 700s, it.settle();
  EXPECT_EQ(it.run.stage, run_stage::FollowThroughComplete);
}

/// A clock that is stepped back by some time must not extend the wait by that time.
TEST(Precondition, AClockThatIsSteppedBackMakesNoWaitLonger) {
  scene it;
  it.prepares = missing_claim();
  it.settle();
  it.now += 800s, it.settle();
  it.now -= 6h, it.settle();
  EXPECT_EQ(it.run.missing_since, it.now);
  it.now += 899s, it.settle();
  EXPECT_EQ(it.run.stage, run_stage::Due);
  it.now += 1s, it.settle();
  EXPECT_EQ(it.run.failure->class_, failure_class::PreconditionMissing);
}

/// A run whose last fact is from before this deadline existed.
TEST(Precondition, AFormerRunCountsFromItsLastFact) {
  scene it;
  it.prepares = missing_claim();
  it.run.waits = wait_reason{"ClaimMissing", "Waiting for the claim."}, it.run.changed_at = it.now;
  it.now += 900s, it.settle();
  EXPECT_EQ(it.run.stage, run_stage::FollowThroughComplete);
}

/// The Job waits for its pod, with this reason.
void wait_for_pod(scene& it, std::string reason) {
  it.settle();
  it.grant(it.now + 120s);
  it.settle();
  it.job = job_status{.phase = job_phase::Starting, .reason = std::move(reason), .message = "no such image"};
  it.settle();
  it.now += 1s, it.grant(it.now + 120s), it.settle();
}

TEST(PodStart, IsGivenUpAfterFiveMinutesAndTriedAgain) {
  scene it;
  wait_for_pod(it, "ErrImagePull");
  EXPECT_EQ(it.run.waits->reason, "ErrImagePull");
  it.now += 298s, it.grant(it.now + 120s), it.settle();
  EXPECT_EQ(it.asked, std::vector<std::string>{});
  it.now += 2s, it.grant(it.now + 120s), it.settle();
  EXPECT_EQ(it.asked, std::vector<std::string>{"delete-job"});
  it.job = job_status{.phase = job_phase::Lost, .pods_gone = true, .reason = "MoverLost"};
  it.settle();
  EXPECT_EQ(it.run.stage, run_stage::Prepared) << "there is another attempt";
  EXPECT_EQ(it.run.failure->class_, failure_class::PodNotStarted);
  EXPECT_NE(it.run.failure->message.find("ErrImagePull: no such image"), std::string::npos) << it.run.failure->message;
}

/// The Job of a hosted etcd with an image that does not exist: its removal was answered before its end was told.
TEST(PodStart, IsNamedThoughTheJobIsGoneBeforeItsEndWasSeen) {
  scene it;
  wait_for_pod(it, "ErrImagePull");
  it.now += 300s, it.grant(it.now + 120s), it.settle();
  it.job.reset();
  it.answers["delete-job.r-1"] = {.code = answer_code::Ok};
  it.settle();
  EXPECT_EQ(it.run.stage, run_stage::Prepared);
  EXPECT_EQ(it.run.failure->class_, failure_class::PodNotStarted);
  EXPECT_NE(it.run.failure->message.find("ErrImagePull: no such image"), std::string::npos) << it.run.failure->message;
}

/// The last fact is from before this limit existed, or from a clock that was ahead.
TEST(PodStart, BeginsToCountWhereNobodyCounted) {
  for (auto since : {std::optional<instant>{}, std::optional(instant{1'000'000ms} + 6h)}) {
    scene it;
    wait_for_pod(it, "Unschedulable");
    it.run.unstarted_since = since;
    it.settle();
    EXPECT_EQ(it.run.unstarted_since, it.now);
  }
}

TEST(PodStart, WithoutTheClusterDoesNotCount) {
  scene it;
  wait_for_pod(it, "Unschedulable");
  it.unwatched = 1h, it.now += 1h, it.grant(it.now + 120s), it.settle();
  EXPECT_EQ(it.asked, std::vector<std::string>{});
}

/// A run waits for a quota without a limit.
TEST(PodStart, AQuotaThatIsUsedUpIsNoSuchReason) {
  scene it;
  wait_for_pod(it, "FailedCreate");
  it.now += 2h, it.grant(it.now + 120s), it.settle();
  EXPECT_EQ(it.asked, std::vector<std::string>{});
}

TEST(PodStart, ThatComesAfterAllGoesOn) {
  scene it;
  wait_for_pod(it, "Unschedulable");
  it.job = job_status{.phase = job_phase::Running};
  it.settle();
  EXPECT_FALSE(it.run.unstarted_since);
  it.now += 1h, it.grant(it.now + 120s), it.settle();
  EXPECT_EQ(it.asked, std::vector<std::string>{});
}

/// It is unknown whether the attempt acted, because its pod was not observed to its end.
TEST(PodStart, AnAtMostOncePlanThatIsGivenUpIsUnknownUnlessItsPodIsSeenNotToHaveRun) {
  for (bool seen : {true, false}) {
    scene it;
    auto plan = backup_plan();
    plan.class_ = plan_class::AtMostOnce, plan.undo_task.reset();
    it.prepares = ready{plan};
    wait_for_pod(it, "ErrImagePull");
    it.now += 300s, it.grant(it.now + 120s), it.settle();
    it.job.reset();
    if (seen) it.job = job_status{.phase = job_phase::Lost, .pods_gone = true};
    it.answers["delete-job.r-1"] = {.code = answer_code::Ok};
    it.settle();
    EXPECT_EQ(it.run.outcome, seen ? run_outcome::Failed : run_outcome::Unknown);
  }
}

/// Seed 805995082.
TEST(Engine, AJobThatReadBeforeThisRunQuiescedTheApplicationIsEndedAndRepeated) {
  for (bool quiesces : {true, false}) {
    scene s;
    auto plan = backup_plan();
    if (quiesces) plan.before = {{.name = "freeze", .call = call_http{}}};
    s.prepares = ready{std::move(plan)};
    s.answers["call-http.r-before-0"] = {};
    s.settle();
    s.grant(s.now + 120s);
    s.job_leases.emplace({lease_proof{.key = "repo/r1", .fence = 999, .mode = lease_mode::Shared}});
    s.job = job_status{.phase = job_phase::Running};
    s.settle();
    ASSERT_EQ(s.run.stage, run_stage::Created);
    EXPECT_EQ(s.asked, quiesces ? asks{"delete-job"} : asks{}) << "without hooks the working mover is kept";
    s.finish({.outcome = outcome::Succeeded});
    s.settle();
    EXPECT_EQ(s.run.outcome.has_value(), !quiesces);
    EXPECT_EQ(s.run.stage, quiesces ? run_stage::Prepared : run_stage::TerminalObserved) << "it is read again";
  }
}

}  // namespace
}  // namespace kopiur::mover_orchestration
