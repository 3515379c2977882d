#include "common/kubernetes/leader.hpp"

#include "common/kubernetes/test/cluster/api.hpp"

namespace kopiur::kubernetes {
namespace {

using namespace std::chrono_literals;

leader::limits const quick{.life = 3s, .renewed = 500ms, .given_up = 2s, .looked = 100ms};

struct stage : stage_base {
  using stage_base::stage_base;
  leader one(std::string who) { return {api, time, ns, "turn", std::move(who), quick}; }
  awaitable<std::string> holder() {
    auto lease = must(co_await api.ask({.path = path_of(leases, ns, "turn")}));
    co_return std::string(lease.text("spec.holderIdentity"));
  }
  /// How long `of` takes to become active.
  awaitable<duration> acquired(leader& leader) {
    auto since = time.now();
    co_await app::within(time, 20s, leader.acquire(), "it never was");
    co_return time.now() - since;
  }
};

TEST(Leader, IsOneAndAnotherOnlyWhenItHasNotRenewed) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "led");
    co_await it.make_namespace();
    auto a = it.one("a"), b = it.one("b");
    EXPECT_FALSE(a.leads());
    co_await a.acquire();
    EXPECT_TRUE(a.leads());
    EXPECT_EQ(co_await it.holder(), "a");
    auto b_waits = [&]() -> awaitable<void> {
      co_await b.acquire();
      ADD_FAILURE() << "both are active";
    };
    auto for_a_while = [&]() -> awaitable<void> { co_await app::first_of(a.keep(), it.time.sleep_for(5s)); };
    co_await app::first_of(b_waits(), for_a_while());
    EXPECT_EQ(co_await it.holder(), "a");
    auto took = co_await it.acquired(b);  // a does not renew, as if it were killed
    EXPECT_GE(took, 2s);
    EXPECT_LE(took, 10s);
    EXPECT_TRUE(b.leads());
    EXPECT_FALSE(a.leads()) << "it stood still, and knows it before it asks anybody";
    EXPECT_THROW(co_await a.keep(), std::runtime_error) << "a was only stopped for a while, and must not write";
    EXPECT_EQ(co_await it.holder(), "b");
  });
}

TEST(Leader, GivesBackSoThatNobodyWaits) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "given-back");
    co_await it.make_namespace();
    auto a = it.one("a"), b = it.one("b");
    co_await a.acquire();
    co_await a.release();
    EXPECT_LT(co_await it.acquired(b), 2s) << "as long as who was killed is waited for";
    EXPECT_EQ(co_await it.holder(), "b");
  });
}

TEST(Leader, MayNotBeSaysSo) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "not-allowed", "nobody");
    leader a(it.api, it.time, "default", "turn", "a", quick);
    std::string said;
    try {
      (void)co_await it.acquired(a);
    } catch (std::runtime_error const& failed) {
      said = failed.what();
    }
    EXPECT_TRUE(said.starts_with("The Lease default/turn is needed and cannot be acquired: ")) << said;
  });
}

}  // namespace
}  // namespace kopiur::kubernetes
