#include "common/kubernetes/test/cluster/config_maps.hpp"

namespace kopiur::kubernetes {
namespace {

using namespace std::chrono_literals;
using stage = config_map_stage;

/// A renewal of the Lease must not wait behind 1,000 other calls: the leader would give it up.
TEST(Client, LetsThroughAtOnceWhatCannotStandInLine) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "at-once");
    co_await it.make_namespace();
    client narrow(it.time, loop.get_executor(), as("admin"), {.connections = 1});
    int done = 0;
    auto ask = [&](bool at_once) -> awaitable<void> {
      must(co_await narrow.ask({.path = "/api/v1/namespaces/at-once", .at_once = at_once}));
      ++done;
    };
    app::nursery line(loop.get_executor());
    for (int i = 0; i < 200; ++i) line.spawn(ask(false));
    co_await it.time.sleep_for(1ms);
    co_await ask(true);
    EXPECT_LT(done, 100) << "it stood in line";
    co_await line.join();
  });
}

TEST(Client, SaysWhatBecameOfEachWrite) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "writes");
    co_await it.make_namespace();
    auto made = must(co_await it.create("one"));
    EXPECT_EQ(code_of(co_await it.create("one")), failure::already_exists);
    EXPECT_EQ(code_of(co_await it.create("NoSuchName")), failure::invalid);
    EXPECT_EQ(code_of(co_await it.api.ask({.path = it.path("none")})), failure::not_found);

    auto newer = made;
    newer.find("data")->set("is", "second");
    auto second = co_await it.put(newer);
    EXPECT_EQ(second->text("data.is"), "second");
    EXPECT_EQ(code_of(co_await it.put(made)), failure::conflict) << "the version that it was read at is no longer its version";
    EXPECT_EQ(code_of(co_await it.remove("one", "another-uid")), failure::conflict);
    EXPECT_FALSE(code_of(co_await it.remove("one", std::string(made.text("metadata.uid")))));
    EXPECT_EQ(code_of(co_await it.remove("one")), failure::not_found);
  });
}

TEST(Client, AppliesAsItsOwnFieldManager) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "applies");
    co_await it.make_namespace();
    auto apply = [&](std::string manager, std::string content) {
      return it.api.ask({.method = "PATCH",
                         .path = it.path("one"),
                         .query = {{"fieldManager", std::move(manager)}},
                         .body = stage::manifest("one", content),
                         .content_type = "application/apply-patch+yaml"});
    };
    EXPECT_FALSE(code_of(co_await apply("ours", "first")));
    EXPECT_FALSE(code_of(co_await apply("ours", "second")));
    auto other = co_await apply("theirs", "third");
    EXPECT_EQ(code_of(other), failure::conflict);
    EXPECT_NE(other.error().message.find("ours"), std::string::npos) << other.error().message;
  });
}

TEST(Client, IsRefusedWhatItMayNot) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "default", "nobody");
    EXPECT_EQ(code_of(co_await it.create("one")), failure::forbidden);
  });
}

TEST(Client, SaysWhyThereIsNoWebSocket) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    call exec{.path = "/api/v1/namespaces/default/pods/none/exec", .query = {{"command", "true"}, {"stdout", "true"}}, .accept = "*/*"};
    stage stranger(loop, "default", "nobody");
    auto refused = co_await stranger.api.channels(exec, "v5.channel.k8s.io");
    EXPECT_EQ(code_of(refused), failure::forbidden);
    EXPECT_NE(refused.error().message.find("pods/exec"), std::string::npos) << refused.error().message;
    stage known(loop, "default");
    EXPECT_EQ(code_of(co_await known.api.channels(exec, "v5.channel.k8s.io")), failure::not_found);
  });
}

TEST(Client, TrustsNoOtherAuthority) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    app::system_clock time(loop.get_executor());
    auto who = as("admin");
    who.authority.clear();
    client api(time, loop.get_executor(), who, {.attempts = 1});
    auto said = co_await api.ask({.path = "/api"});
    EXPECT_EQ(code_of(said), failure::unavailable);
    EXPECT_NE(said.error().message.find("certificate verify failed"), std::string::npos) << said.error().message;
    EXPECT_THROW(client(time, loop.get_executor(), {.server = who.server, .authority = "no PEM"}), std::runtime_error);
  });
}

TEST(Client, KeepsItsConnectionsAndOutlivesTheServer) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "outlives");
    co_await it.make_namespace();
    app::nursery at_once(loop.get_executor());
    auto make = [&](int i) -> awaitable<void> { EXPECT_FALSE(code_of(co_await it.create("n" + std::to_string(i)))); };
    for (int i = 0; i < 40; ++i) at_once.spawn(make(i));
    co_await at_once.join();
    co_await it.kill_server();
    EXPECT_FALSE(code_of(co_await it.create("after"))) << "kept connections of the dead server are no reason to fail";
  });
}

}  // namespace
}  // namespace kopiur::kubernetes
