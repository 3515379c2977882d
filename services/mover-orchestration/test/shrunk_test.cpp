#include "services/mover-orchestration/core/shrunk.hpp"

#include "services/controller/core/run_facts.hpp"
#include "services/mover-orchestration/test/scene.hpp"

namespace kopiur::mover_orchestration {
namespace {

/// A Backup's run, as its last fact has it.
run_state ended(run_outcome outcome) {
  run_plan plan = backup_plan();
  plan.serves = {{"Backup", "ns", "b", "u1"}};
  kopia_of(plan).repository = repository_access{.unique_ID = "repository-1"};
  plan.secrets = std::vector<secret_use>{{.secret_namespace = "ns", .secret_name = "s", .key = "password", .env = "KOPIA_PASSWORD"}};
  plan.volumes = std::vector<volume_use>{{.name = "source", .claim_namespace = "ns", .claim_name = "data"}};
  plan.before.resize(2), plan.after.resize(1);
  plan.pod = pod_options{};
  plan.resolved = json::value(json::object{{"repository", "nas"}});
  run_state run{.run = "r", .cluster = "c", .order = {.plan = "backup", .object = {"Backup", "ns", "b", "u"}}};
  run.order.create = json::value(json::object{{"kind", "Backup"}});
  run.order.parameters = json::object{{"schedule", "nightly"}};
  run.stage = run_stage::FollowThroughComplete, run.outcome = outcome, run.plan = std::move(plan);
  run.leases = {{"repo/r1", 7}}, run.hooks_started = true, run.hooks_done = 2, run.after_hooks_done = 1;
  run.finished_at = run.changed_at = instant(5h), run.ordered_as = 12;
  run.result = kopia_result{.run = "r", .outcome = outcome::Succeeded, .snapshot = snapshot_row{.id = "k1"}};
  run.log_tail = std::string(4000, 'x');
  return run;
}

TEST(Shrunk, KeepsWhatIsReadOfARunThatIsOver) {
  auto whole = ended(run_outcome::Succeeded);
  auto small = shrunk(whole);
  EXPECT_EQ(controller::concerned(small), controller::concerned(whole)) << "it is found by the same objects";
  EXPECT_EQ(json::write(small.result), json::write(whole.result));
  EXPECT_EQ(json::write(small.order.parameters), json::write(whole.order.parameters));
  EXPECT_EQ(json::write(small.plan->body), json::write(whole.plan->body));
  EXPECT_EQ(json::write(small.plan->resolved), json::write(whole.plan->resolved));
  EXPECT_EQ(small.outcome, whole.outcome);
  EXPECT_EQ(small.finished_at, whole.finished_at);
  EXPECT_EQ(small.ordered_as, whole.ordered_as);
  EXPECT_FALSE(controller::has_hooks_left(small)) << "its application is not quiesced";
}

TEST(Shrunk, LeavesOutWhatItsJobNeeded) {
  auto whole = ended(run_outcome::Succeeded);
  auto small = shrunk(whole);
  EXPECT_TRUE(small.log_tail.empty());
  EXPECT_FALSE(small.order.create);
  EXPECT_TRUE(small.leases.empty() && small.plan->leases.empty() && small.plan->secrets->empty() && small.plan->volumes->empty());
  EXPECT_FALSE(small.plan->pod || small.plan->undo_task);
  EXPECT_LT(json::write(small).size() * 2, json::write(whole).size());
  EXPECT_EQ(json::write(shrunk(small)), json::write(small));
}

TEST(Shrunk, KeepsTheLogOfAFailure) {
  EXPECT_EQ(shrunk(ended(run_outcome::Failed)).log_tail.size(), 4000U);
  EXPECT_EQ(shrunk(ended(run_outcome::Unknown)).log_tail.size(), 4000U);
}

TEST(Shrunk, LeavesARunWholeThatIsNotOverOrGathers) {
  auto open = ended(run_outcome::Succeeded);
  open.stage = run_stage::TerminalObserved;
  EXPECT_EQ(json::write(shrunk(open)), json::write(open));
  auto occasion = ended(run_outcome::Succeeded);
  auto plan = *occasion.plan;
  plan.gathers = true, occasion.plan = std::move(plan);
  EXPECT_EQ(json::write(shrunk(occasion)), json::write(occasion));
}

}  // namespace
}  // namespace kopiur::mover_orchestration
