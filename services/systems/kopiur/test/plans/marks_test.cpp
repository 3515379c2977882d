#include "services/systems/kopiur/plans/restore.hpp"
#include "services/systems/kopiur/test/plans/scene.hpp"

/// Marks on claims that no seal proves (the gateway publishes them under another name): neither trusted nor a reason to act.
namespace kopiur::plans {
namespace {

using namespace proto;

constexpr char const* filled_by_r1 = R"("annotations":{"unproven.kopiur.home-operations.com/restored-by":"r1",)"
                                     R"("unproven.kopiur.home-operations.com/restored-at":"2026-01-01T00:00:00Z",)"
                                     R"("unproven.kopiur.home-operations.com/restored-again":"1"})";
constexpr char const* filled_by_another = R"("annotations":{"unproven.kopiur.home-operations.com/restored-by":"another"})";

class UnprovenMark : public ::testing::Test {
 protected:
  UnprovenMark() {
    it.put_config("photos");
    it.put_saved("b1", "s1", "/pvc/data");
  }
  /// `target`: member of `spec`; empty: passive. `again`: the value of `restore-again`.
  void put_restore(std::string const& target, std::string const& again, std::string const& status = "") {
    it.put("Restore", "r1", again.empty() ? "" : R"("annotations":{"kopiur.home-operations.com/restore-again":")" + again + "\"}",
           R"("spec":{"source":{"fromConfig":{"name":"photos"}})" + (target.empty() ? "" : R"(,"target":)" + target) + "}" +
               (status.empty() ? "" : R"(,"status":)" + status));
  }
  void put_waiting_claim(std::string_view marks, std::string_view more = "") {
    it.put_claim("data", marks,
                 std::string(more) + R"("dataSourceRef":{"apiGroup":"kopiur.home-operations.com","kind":"Restore","name":"r1"})",
                 "Pending");
  }
  std::string prepared() { return said(what_comes()); }
  preparation what_comes(json::value parameters = {}) { return it.prepare_it("restore", "Restore", "r1", std::move(parameters)); }
  /// The reason of its Ready condition, and whether a run is ordered.
  std::string tended() {
    auto needs = it.reconcile_it("Restore", "r1");
    std::string text;
    for (auto& each : needs.statuses)
      for (auto& one : each.fragment.conditions) text += one.reason;
    return needs.orders.empty() ? text : text + "run";
  }
  scene it;
};

constexpr char const* makes_claim = R"({"pvc":{"name":"data"}})";
constexpr char const* existing_claim = R"({"pvcRef":{"name":"data"}})";

TEST_F(UnprovenMark, ARestoreAppliedAgainAfterTheUpgradeLeavesAClaimThatTheBaselineFilled) {
  it.put_claim("data", filled_by_r1);
  for (auto* target : {makes_claim, existing_claim}) {
    put_restore(target, "1");
    auto what = what_comes();
    ASSERT_EQ(said(what), "wait FillNotProven") << target;
    EXPECT_NE(std::get<wait>(what).why.message.find("restore-again with a new value"), std::string::npos) << "it names the user's act";
    put_restore(target, "2");
    EXPECT_EQ(prepared(), "ready") << "the user asks for it: " << target;
  }
}

TEST_F(UnprovenMark, APassiveRestoreAppliedAgainAfterTheUpgradeLeavesAClaimThatTheBaselineFilled) {
  put_restore("", "1");
  for (auto* volume : {"", R"("volumeName":"v",)"}) {
    put_waiting_claim(filled_by_r1, volume);
    EXPECT_EQ(tended(), "FillNotProven");
    EXPECT_EQ(said(what_comes(json::object{{"claim", "data"}, {"claimUid", "uid-data"}})), "wait FillNotProven");
  }
  put_restore("", "2");
  EXPECT_EQ(tended(), "run") << "the user asks for it";
}

TEST_F(UnprovenMark, IsProvenByTheStatusOfTheRestore) {
  put_waiting_claim(filled_by_r1);
  put_restore("", "1", R"({"claims":[{"name":"data","uid":"uid-data","phase":"Completed"}]})");
  EXPECT_EQ(tended(), "") << "neither filled again nor doubted";
  put_restore("", "1", R"({"claims":[{"name":"data","uid":"uid-of-a-former-one","phase":"Completed"}]})");
  EXPECT_EQ(said(what_comes(json::object{{"claim", "data"}, {"claimUid", "uid-data"}})), "wait FillNotProven");
}

TEST_F(UnprovenMark, OfAnotherRestoreFillsNoClaimAndIsSaid) {
  put_waiting_claim(filled_by_another);
  put_restore("", "");
  EXPECT_EQ(tended(), "FillNotProven");
  it.put_claim("data", filled_by_another);
  put_restore(existing_claim, "");
  EXPECT_EQ(prepared(), "ready") << "who names a claim in pvcRef means it, whatever was in it";
}

TEST_F(UnprovenMark, ThatAClaimWasMadeForTheRestoreIsNotBelieved) {
  put_restore(makes_claim, "");
  it.put_claim("data", R"("annotations":{"unproven.kopiur.home-operations.com/made-for":"uid-r1"})");
  EXPECT_EQ(prepared(), "wait FillNotProven");
  put_restore(existing_claim, "");
  auto what = what_comes();
  ASSERT_EQ(said(what), "ready");
  EXPECT_EQ(std::get<ready>(what).plan.class_, plan_class::AtMostOnce) << "others may have written into it";
}

/// During an upgrade a claim may exist that was created a moment ago without a seal.
TEST_F(UnprovenMark, ThatAClaimWasMadeForTheRestoreIsProvenByTheAnswerOfTheGateway) {
  put_restore(makes_claim, "");
  it.put_claim("data", R"("annotations":{"unproven.kopiur.home-operations.com/made-for":"uid-r1"})");
  auto key = "create-object " + restore_run(*controller::find(it.objects.of<restore>(), "prod", "r1"), "") + "-claim";
  it.answers[key] = {.code = answer_code::Ok, .message = {}, .uid = "uid-data"};
  auto what = what_comes();
  ASSERT_EQ(said(what), "ready");
  EXPECT_EQ(std::get<ready>(what).plan.class_, plan_class::Repeatable);
  it.answers[key].uid = "uid-of-a-former-one";
  EXPECT_EQ(prepared(), "wait FillNotProven");
}

/// Otherwise both runs would fill it.
TEST_F(UnprovenMark, TheRunThatWaitedEndsWhereTheUserAsksAgain) {
  it.put_claim("data", filled_by_r1);
  put_restore(existing_claim, "1");
  auto first = it.reconcile_it("Restore", "r1").orders.at(0);
  put_restore(existing_claim, "2");
  auto second = it.reconcile_it("Restore", "r1").orders.at(0);
  ASSERT_NE(first.id, second.id);
  auto prepare = [&](new_run const& one) {
    run_state run{.run = one.id, .cluster = "c", .order = one.order, .ordered_at = it.now, .changed_at = it.now};
    auto* recipe = find_plan("restore");
    return said(recipe->prepare(it.look(), run)) + (recipe->report(it.look(), run).empty() ? ", silent" : "");
  };
  EXPECT_EQ(prepare(first), "nothing, silent");
  EXPECT_EQ(prepare(second), "ready");
}

TEST_F(UnprovenMark, IsWrittenAgainWithASealWhereTheRunIsKnown) {
  it.put_claim("data", filled_by_r1);
  put_restore(existing_claim, "1");
  auto id = it.reconcile_it("Restore", "r1").orders.at(0).id;
  it.runs[id] = {.run = id, .order = {.plan = "restore"}, .stage = run_stage::TerminalObserved};
  it.runs[id].outcome = run_outcome::Succeeded;
  auto ended = [&](char const* time) {
    it.runs[id].started_at = *instant_from(time);
    return asked(it.reconcile_it("Restore", "r1"));
  };
  EXPECT_EQ(ended("2026-01-01T00:00:00Z"), std::vector<std::string>{"patch-metadata"});
  EXPECT_EQ(ended("2025-12-31T00:00:00Z"), nothing) << "another one has filled it since";
}

}  // namespace
}  // namespace kopiur::plans
