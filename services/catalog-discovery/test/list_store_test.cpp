#include "services/catalog-discovery/shell/list_store.hpp"

#include <gtest/gtest.h>

#include <boost/asio.hpp>

#include "common/testing/memory_port.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/controller/shell/list_pages.hpp"

/// Lists as they are stored on the bus, in memory and virtual time.
namespace kopiur::catalog_discovery {
namespace {

using namespace proto;
using namespace std::chrono_literals;

/// A replica of catalog-discovery that has only its list store.
struct stage {
  using task = boost::asio::awaitable<void>;
  testing::world home;
  testing::bus_net net{home};
  std::shared_ptr<testing::process> who;
  list_store* store = nullptr;
  bus::port* port = nullptr;

  stage() {
    for (auto const& each : proto::streams(1)) EXPECT_TRUE(net.server().ensure(each));
    who = home.start("catalog-discovery", [this](testing::process& self) -> task {
      testing::sim_clock time(self);
      testing::memory_port bus(self, net);
      list_store lists({bus, time, self.loop().get_executor(), "local", "catalog-discovery"}, log::logger("catalog-discovery"));
      store = &lists, port = &bus;
      co_await lists.view().run();
    });
    go(1s);
  }
  void go(duration length) { home.run_until(home.now() + length); }
  void inside(task what) {
    bool done = false;
    home.post(*who, [&] { boost::asio::co_spawn(who->loop(), std::move(what), [&](std::exception_ptr failed) { done = !failed; }); });
    go(60s);
    EXPECT_TRUE(done);
  }
  /// Stores a list of that many snapshots.
  void keep(std::string run, int snapshots, int a_page = 2) {
    listed_rows what;
    for (int n = 1; n <= snapshots; ++n) {
      what.rows.push_back({.id = "s" + std::to_string(n), .source = {"u", "h", "/p"}});
      if (n % a_page == 0 || n == snapshots) what.page_ends.push_back(what.rows.size());
    }
    auto next = store->head("r");
    next.list = run, next.snapshots = snapshots, next.content = std::to_string(snapshots);
    inside(store->keep(next, what));
  }
  std::string read() {
    std::string ids;
    inside([](stage& stage, std::string& said) -> task {
      auto rows = co_await stage.store->rows("r");
      if (!rows) said = "unreadable";
      if (rows)
        for (auto& each : *rows) said += each.id + " ";
    }(*this, ids));
    return ids;
  }
  /// The number of pages in a half.
  int pages(int half) {
    int count = 0;
    for (int page = 1; page <= 10; ++page) {
      auto found = net.server().last(std::string(subjects::lists), subjects::list_page("local", "r", half, page));
      count += found && *found && !(*found)->body.empty();
    }
    return count;
  }
  void put_page(int half, int page, std::string body) {
    EXPECT_TRUE(net.server().publish({.subject = subjects::list_page("local", "r", half, page), .body = std::move(body)}));
  }
};

TEST(ListStore, KeepsAListWholeAndReadsIt) {
  stage stage;
  EXPECT_EQ(stage.read(), "unreadable") << "what was never listed is not an empty list";
  stage.keep("one", 5);
  EXPECT_EQ(stage.store->head("r").pages, 3);
  EXPECT_EQ(stage.read(), "s1 s2 s3 s4 s5 ");
  stage.keep("none", 0);
  EXPECT_EQ(stage.read(), "");
}

TEST(ListStore, WritesTheNextListBesideTheOneThatIsRead) {
  stage stage;
  stage.keep("one", 5);
  int half = stage.store->head("r").half;
  stage.put_page(1 - half, 1, R"({"list":"two","rows":[]})");  // another replica began the next list and died
  EXPECT_EQ(stage.read(), "s1 s2 s3 s4 s5 ");
  stage.keep("three", 1);
  EXPECT_EQ(stage.store->head("r").half, 1 - half);
  EXPECT_EQ(stage.read(), "s1 ");
  stage.keep("four", 2);
  EXPECT_EQ(stage.pages(half), 1) << "pages beyond the new list's end are taken away";
  EXPECT_EQ(stage.read(), "s1 s2 ");
}

TEST(ListStore, LeavesThePagesOfAListThatSaysTheSame) {
  stage stage;
  stage.keep("one", 5);
  auto before = stage.net.server().info(std::string(subjects::lists))->last_sequence;
  stage.keep("two", 5);
  EXPECT_EQ(stage.net.server().info(std::string(subjects::lists))->last_sequence, before);
  EXPECT_EQ(stage.store->head("r").list, "two");
  EXPECT_EQ(stage.read(), "s1 s2 s3 s4 s5 ");
}

TEST(ListStore, OfMixedOrMissingPagesIsNoListAndTheNextMakesItWhole) {
  stage stage;
  stage.keep("one", 5);
  int half = stage.store->head("r").half;
  for (auto* body : {R"({"list":"another","rows":[]})", "", R"({"list":"one","rows":[]})", "{"}) {
    stage.put_page(half, 2, body);
    EXPECT_EQ(stage.read(), "unreadable") << body;
  }
  stage.keep("two", 5);
  EXPECT_EQ(stage.read(), "s1 s2 s3 s4 s5 ") << "it says the same, and is written again";
}

TEST(ListStore, IsReadPageByPageHoweverLongItIs) {
  stage scene;
  constexpr int many = 50'000, a_page = 200;
  scene.keep("one", many, a_page);
  std::size_t rows = 0, most = 0;
  bool whole = false;
  scene.inside([](stage& inner, std::size_t& sum, std::size_t& largest, bool& all) -> stage::task {
    all = co_await controller::read_list(*inner.port, "local", inner.store->head("r"), [&](std::vector<snapshot_row> page) {
      sum += page.size(), largest = std::max(largest, page.size());
    });
  }(scene, rows, most, whole));
  EXPECT_TRUE(whole);
  EXPECT_EQ(rows, many);
  EXPECT_EQ(most, a_page) << "nobody holds more than that of it";
}

TEST(ListStore, ForgetsWhatIsGone) {
  stage stage;
  stage.keep("one", 5), stage.keep("two", 3);
  stage.inside(stage.store->forget({"r"}));
  EXPECT_EQ(stage.read(), "s1 s2 s3 ");
  stage.inside(stage.store->forget({"another"}));
  EXPECT_EQ(stage.read(), "unreadable");
  EXPECT_EQ(stage.pages(0) + stage.pages(1), 0);
  stage.keep("three", 2);
  EXPECT_EQ(stage.read(), "s1 s2 ") << "its repository came back";
}

}  // namespace
}  // namespace kopiur::catalog_discovery
