#include "services/executor/core/openbao/application.hpp"

#include <gtest/gtest.h>

namespace kopiur::executor::openbao {
namespace {

using namespace std::chrono_literals;

leadership const before{.container = "c1", .active_since = "08:00"};
look_after_answer seen(voters::state members, leadership now, duration sealed_for = 0s) {
  return {.members = {.all = members}, .now = std::move(now), .sealed_for = sealed_for};
}
application is(look_after_answer const& what, bool other_keys = false) { return judge(before, what, other_keys, "bao-0").is; }

TEST(Application, IsProvenByALeaderThatIsActiveAnewInTheSameContainer) {
  EXPECT_EQ(is(seen(voters::state::healthy, {"c1", "08:05"})), application::applied);
  EXPECT_EQ(is(seen(voters::state::healthy, {"c1", "08:00"})), application::pending) << "it answers before it begins";
  EXPECT_EQ(is(seen(voters::state::unreachable, {"c1", ""})), application::pending);
}

/// OpenBao 2.4 panics now and then between its answer and the application; after the restart it has its old content.
TEST(Application, IsDoubtfulAfterARestart) {
  EXPECT_EQ(is(seen(voters::state::healthy, {"c2", "08:05"})), application::doubtful);
  EXPECT_EQ(is(seen(voters::state::sealed, {"c2", ""}), true), application::doubtful);
}

TEST(Application, ThatEndsSealedIsExpectedOnlyWithOtherKeys) {
  EXPECT_EQ(is(seen(voters::state::sealed, {"c1", ""}, 59s)), application::pending);
  EXPECT_EQ(is(seen(voters::state::sealed, {"c1", ""}, 60s)), application::doubtful);
  EXPECT_EQ(is(seen(voters::state::sealed, {"c1", ""}, 60s), true), application::sealed);
}

TEST(Application, IsJudgedByWhatIsKnown) {
  EXPECT_EQ(judge({}, seen(voters::state::healthy, {"c1", "08:05"}), false, "bao-0").is, application::applied);
  EXPECT_EQ(is(seen(voters::state::healthy, {"", "08:05"})), application::applied) << "the Pod cannot be read";
  EXPECT_EQ(read_active_since(R"({"is_self":true,"active_time":"2026-11-30T08:00:00Z"})"), "2026-11-30T08:00:00Z");
  EXPECT_EQ(read_active_since("no"), "");
}

}  // namespace
}  // namespace kopiur::executor::openbao
