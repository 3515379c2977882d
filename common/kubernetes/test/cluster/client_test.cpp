#include <signal.h>

#include <fstream>
#include <set>

#include "common/kubernetes/reflector.hpp"
#include "common/kubernetes/test/cluster/api.hpp"
#include "common/kubernetes/token_request.hpp"

namespace kopiur::kubernetes {
namespace {

using namespace std::chrono_literals;

/// A client on its own loop, in its own namespace.
class stage : public stage_base {
 public:
  using stage_base::stage_base;

  static json::value manifest(std::string const& name, std::string const& content) {
    return json::parse(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name +
                       R"(","labels":{"of":"test"}},"data":{"is":")" + content + R"("}})")
        .value();
  }
  std::string path(std::string const& name = "") const { return path_of(config_maps, ns, name); }
  awaitable<result<json::value>> create(std::string name, std::string content = "first") {
    return api.ask({.method = "POST", .path = path(), .body = manifest(name, content)});
  }
  awaitable<result<json::value>> put(json::value object) {
    auto name = std::string(object.text("metadata.name"));
    return api.ask({.method = "PUT", .path = path(name), .body = std::move(object)});
  }
  awaitable<result<json::value>> remove(std::string name, std::string uid = "") {
    json::value labels = json::value::make_object();
    if (!uid.empty()) labels.set("preconditions", json::object{{"uid", uid}});
    return api.ask({.method = "DELETE", .path = path(name), .body = std::move(labels)});
  }
  reflector follow(int page = 500) { return follow(page, api); }
  reflector follow(int page, client& by) {
    return reflector(by, time, {.resource = config_maps, .namespace_ = ns, .selector = "of=test", .page = page});
  }
  /// Simulates a crash of the machine; with_api.sh restarts the server. Returns once it answers.
  awaitable<void> kill_server() {
    pid_t pid = 0;
    std::ifstream(api_folder() / "apiserver.pid") >> pid;
    ::kill(pid, SIGKILL);
    co_await time.sleep_for(500ms);
    client other(time, co_await asio::this_coro::executor, as("admin"));
    for (int tries = 0; tries < 60; ++tries)
      if (co_await other.ask({.path = "/api/v1/namespaces/" + ns})) co_return;
    throw std::runtime_error("the API server has not come back");
  }
};

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

TEST(TokenRequest, GivesATokenThatProvesTheAccountToItsAudienceAlone) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "tokens");
    co_await it.make_namespace();
    auto mover = json::parse(R"({"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"mover"}})").value();
    must(co_await it.api.ask({.method = "POST", .path = path_of(service_accounts, it.ns), .body = std::move(mover)}));
    object_key account{"ServiceAccount", "tokens", "mover"};
    auto who_is = [&](bound_token const& given) -> awaitable<result<json::value>> {
      auto bearer = as("admin");
      bearer = {.server = bearer.server, .authority = bearer.authority, .token = given.token};
      client other(it.time, loop.get_executor(), bearer);
      auto body = json::parse(R"({"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"})").value();
      co_return co_await other.ask(
          {.method = "POST", .path = "/apis/authentication.k8s.io/v1/selfsubjectreviews", .body = std::move(body)});
    };
    auto ours = must(co_await request_token(it.api, account, {}, 15min));
    EXPECT_EQ(must(co_await who_is(ours)).text("status.userInfo.username"), "system:serviceaccount:tokens:mover");
    EXPECT_GT(ours.expires, it.time.now() + 10min);
    auto vaults = must(co_await request_token(it.api, account, {"vault"}, 15min));
    EXPECT_EQ(code_of(co_await who_is(vaults)), failure::forbidden) << "it is for somebody else";
    EXPECT_EQ(code_of(co_await request_token(it.api, account, {}, 1min)), failure::invalid);
    EXPECT_EQ(code_of(co_await request_token(it.api, {"ServiceAccount", "tokens", "none"}, {}, 15min)), failure::not_found);
    stage stranger(loop, "tokens", "nobody");
    EXPECT_EQ(code_of(co_await request_token(stranger.api, account, {}, 15min)), failure::forbidden);
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

/// The state of a reflector's user: the last report of each object.
struct table {
  std::map<std::string, std::string> is;  // name -> data.is
  std::set<std::string> stale;            // since it started over, not reported again
  int starts_over = 0;
  bool all = false;

  void take(change&& one) {
    if (auto* now = std::get_if<object_is>(&one)) {
      EXPECT_EQ(now->object.text("kind"), "ConfigMap");
      auto name = std::string(now->object.text("metadata.name"));
      is[name] = now->object.text("data.is"), stale.erase(name);
    } else if (auto* gone = std::get_if<object_gone>(&one)) {
      is.erase(std::string(gone->object.text("metadata.name")));
    } else if (std::get_if<started_over>(&one)) {
      ++starts_over, all = false;
      for (auto& [name, _] : is) stale.insert(name);
    } else {
      for (auto& name : std::exchange(stale, {})) is.erase(name);
      all = true;
    }
  }
};

/// Reads changes until `enough`, at most 30 s.
awaitable<void> follow(clock& time, reflector& from, table& into, std::function<bool()> enough) {
  auto go = [&]() -> awaitable<void> {
    while (!enough()) into.take(co_await from.next());
  };
  co_await app::within(time, 30s, go(), "the reflector did not tell it");
}

TEST(Reflector, TellsAllPagesThenEachChangeInOrder) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "follows");
    co_await it.make_namespace();
    for (int i = 0; i < 25; ++i) (void)co_await it.create("n" + std::to_string(i));
    auto from = it.follow(10);
    table seen;
    co_await follow(it.time, from, seen, [&] { return seen.all; });
    EXPECT_EQ(seen.is.size(), 25u);

    auto made = co_await it.create("new", "1");
    for (int i = 2; i <= 5; ++i) {
      made->find("data")->set("is", std::to_string(i));
      made = co_await it.put(*made);
    }
    (void)co_await it.remove("n3");
    std::vector<std::string> words;
    co_await follow(it.time, from, seen, [&] {
      if (seen.is.contains("new") && (words.empty() || words.back() != seen.is["new"])) words.push_back(seen.is["new"]);
      return !seen.is.contains("n3");
    });
    EXPECT_EQ(words, (std::vector<std::string>{"1", "2", "3", "4", "5"}));
    EXPECT_EQ(seen.starts_over, 0);
  });
}

/// A page of all of them has about 120 KB.
TEST(Reflector, AsksForSmallerPagesWhereOneIsTooLarge) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "large-pages");
    co_await it.make_namespace();
    for (int i = 0; i < 12; ++i) (void)co_await it.create("n" + std::to_string(i), std::string(10'000, 'x'));
    for (auto limit : {json::bounds{.bytes = 40'000}, json::bounds{.members = 100}}) {
      client narrow(it.time, loop.get_executor(), as("admin"), {.content = limit});
      auto from = it.follow(500, narrow);
      table seen;
      co_await follow(it.time, from, seen, [&] { return seen.all; });
      EXPECT_EQ(seen.is.size(), 12u);
    }
    client narrow(it.time, loop.get_executor(), as("admin"), {.content = {.bytes = 40'000}});
    auto all = co_await narrow.ask({.path = it.path()});
    EXPECT_EQ(code_of(all), failure::invalid);
    EXPECT_TRUE(all.error().too_large) << all.error().message;
  });
}

/// `stays` and `goes` exist, and everything was reported.
awaitable<void> begin(stage& it, reflector& from, table& seen) {
  co_await it.make_namespace();
  must(co_await it.create("stays")), must(co_await it.create("goes"));
  co_await follow(it.time, from, seen, [&] { return seen.all; });
}

TEST(Reflector, GoesOnWhereTheServerWasKilled) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "killed");
    auto from = it.follow();
    table seen;
    co_await begin(it, from, seen);
    auto mark = co_await it.create("mark");
    co_await follow(it.time, from, seen, [&] { return seen.is.contains("mark"); });  // the watch has started
    co_await it.kill_server();
    (void)co_await it.remove("goes"), (void)co_await it.create("comes");
    co_await follow(it.time, from, seen, [&] { return seen.is.contains("comes") && !seen.is.contains("goes"); });
    EXPECT_TRUE(seen.is.contains("stays"));
  });
}

/// The restarted server does not know earlier versions: it answers 410, and objects deleted meanwhile are still reported.
TEST(Reflector, StartsOverWhereItsVersionHasExpired) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "expired");
    auto from = it.follow();
    table seen;
    co_await begin(it, from, seen);
    (void)co_await it.remove("goes"), (void)co_await it.create("comes");
    co_await it.kill_server();
    co_await follow(it.time, from, seen, [&] { return seen.is.contains("comes") && seen.all; });
    EXPECT_EQ(seen.starts_over, 1);
    EXPECT_FALSE(seen.is.contains("goes"));
    EXPECT_TRUE(seen.is.contains("stays"));
  });
}

}  // namespace
}  // namespace kopiur::kubernetes
