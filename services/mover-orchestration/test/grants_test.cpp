#include "services/mover-orchestration/test/scene.hpp"

/// Plans whose pods are granted something, that do not wait for their lease, and that pass their result on.
namespace kopiur::mover_orchestration {
namespace {

/// A plan of plain containers that is granted something, and does not wait for its lease.
run_plan granted_plan() {
  run_plan plan{.leases = {{.key = "repo/r1", .mode = lease_mode::Exclusive, .wait = false}}, .namespace_ = "operator"};
  json::value role = json::object{{"kind", "Role"}, {"metadata", json::object{{"name", "r"}, {"namespace", "hcp"}}}};
  plan.body = pod_plan{.main = {.name = "main"}, .grants = {std::move(role)}};
  return plan;
}

lease_state held_by(std::string run, instant until) {
  return {.key = "repo/r1", .holders = {{"c", std::move(run), lease_mode::Exclusive, until, 3}}};
}

struct granted_scene : scene {
  granted_scene() { prepares = ready{granted_plan()}, run.order.plan = "granted"; }
};

TEST(Engine, ALeaseThatIsNotWaitedForEndsTheRunWhenAnotherHoldsIt) {
  granted_scene s;
  s.leases["repo/r1"] = held_by("other", s.now + 60s);
  s.settle();
  ASSERT_EQ(s.run.outcome, run_outcome::Failed);
  EXPECT_EQ(s.run.failure->class_, failure_class::LeaseTaken);
  EXPECT_EQ(s.run.failure->message, "repo/r1 is held by other.");
}

/// An outage of the bus lets a lease expire while its holder is gone.
TEST(Engine, ALeaseThatIsNotWaitedForMayBeTakenOverFromAHolderThatExpired) {
  granted_scene s;
  s.leases["repo/r1"] = held_by("other", s.now - 1s);
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::Prepared);
  ASSERT_EQ(s.asked, asks{"acquire"});
  EXPECT_FALSE(std::get<acquire_lease>(std::get<lease_request>(s.requests.at(0).what)).wait) << "it must not be queued";
  s.grant(s.now + 120s);
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::Committed);
}

/// The attempt acted already: the run must come to its end, not be rejected because its own lease was lost.
TEST(Engine, ARunThatHasActedIsNotRejectedForALeaseThatItLost) {
  granted_scene s;
  s.start();
  s.run.stage = run_stage::Prepared, s.job.reset();
  s.leases["repo/r1"] = held_by("other", s.now + 60s);
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::Prepared);
}

TEST(Engine, WhatWasGrantedIsRevokedBeforeTheLeaseGoesAndTheResultIsPassedOnBetween) {
  granted_scene s;
  s.follows.emplace({ask{gateway_command{swap_status{}}, "url"}});
  s.start();
  job_result good(pod_report{.run = "r", .outcome = outcome::Succeeded});
  s.job = job_status{.phase = job_phase::Finished, .pods_gone = true, .result = good};
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::TerminalObserved);
  ASSERT_EQ(s.asked, asks{"delete-job"}) << "the lease is kept";
  auto& removal = std::get<delete_job>(std::get<gateway_command>(s.requests.at(0).what));
  ASSERT_EQ(removal.grants.size(), 1u);
  EXPECT_EQ(removal.grants.at(0), (object_ref{"Role", "hcp", "r", {}}));
  s.job.reset(), s.answers["delete-job.r-1"] = {};
  s.settle();
  ASSERT_EQ(s.asked, asks{"swap-status"});
  s.now += 60s;
  s.settle();
  EXPECT_EQ(s.asked, (asks{"swap-status", "renew"})) << "nobody else may act meanwhile";
  s.follows->clear();
  s.settle();
  ASSERT_EQ(s.asked, asks{"release"});
  s.leases.clear();
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::FollowThroughComplete);
}

/// Deleted in the middle: the Job is ended and its grants are revoked, whether or not the Job was ever created.
TEST(Engine, ACancelledRunRevokesWhatWasGranted) {
  granted_scene s;
  s.settle();
  s.grant(s.now + 120s);
  s.settle();
  ASSERT_EQ(s.run.stage, run_stage::Committed);
  s.cancel = "the object was deleted";
  s.settle();
  ASSERT_EQ(s.asked, asks{"delete-job"});
  EXPECT_EQ(std::get<delete_job>(std::get<gateway_command>(s.requests.at(0).what)).grants.size(), 1u);
  s.answers["delete-job.r-1"] = {};
  s.settle();
  EXPECT_EQ(s.run.stage, run_stage::TerminalObserved);
  EXPECT_EQ(s.asked, asks{"release"});
}

}  // namespace
}  // namespace kopiur::mover_orchestration
