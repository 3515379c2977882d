#include <gtest/gtest.h>

#include <boost/asio.hpp>
#include <cstdio>
#include <fstream>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/bus/nats_port.hpp"
#include "common/testing/nats_server.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/catalog-discovery/shell/list_store.hpp"
#include "services/controller/shell/list_pages.hpp"

/// A list of 50,000 snapshots on a real bus.
namespace kopiur::catalog_discovery {
namespace {

using namespace proto;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::awaitable;

constexpr int many = 50'000, a_page = 200;

template <class T>
T must(bus::result<T> done) {
  if (!done) throw std::runtime_error(done.error().text);
  if constexpr (!std::is_void_v<T>) return std::move(*done);
}

/// As kopia's rows: about 300 bytes each.
listed_rows long_list() {
  listed_rows out;
  for (int n = 1; n <= many; ++n) {
    auto number = std::to_string(n);
    out.rows.push_back({.id = std::string(32 - number.size(), 'a') + number,
                        .source = {"application", "production-" + std::to_string(n % 100), "/pvc/data-" + std::to_string(n % 10)},
                        .start_time = instant(std::chrono::seconds(n)),
                        .end_time = instant(std::chrono::seconds(n + 1)),
                        .size_bytes = 123'456'789,
                        .files = 12'345});
    if (n % a_page == 0) out.page_ends.push_back(out.rows.size());
  }
  return out;
}

struct what_was_read {
  bool whole = false;
  std::size_t rows = 0, most = 0;
};
awaitable<what_was_read> read(bus::port& bus, snapshot_list head) {
  what_was_read found;
  found.whole = co_await controller::read_list(bus, "local", std::move(head), [&](std::vector<snapshot_row> page) {
    found.rows += page.size(), found.most = std::max(found.most, page.size());
  });
  co_return found;
}

std::int64_t milliseconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - then).count();
}

awaitable<void> keep_and_read(bus::port& bus, clock& time) {
  for (auto const& each : proto::streams(1)) must(co_await bus.ensure(each));
  list_store store({bus, time, co_await asio::this_coro::executor, "local", "catalog-discovery"}, log::logger("catalog-discovery"));
  auto follow = [](list_store& store) -> awaitable<void> { co_await store.view().run(); };
  auto use = [](list_store& store, bus::port& bus) -> awaitable<void> {
    auto list = long_list();
    for (auto* run : {"one", "two"}) {
      auto next = store.head("r");
      next.list = run, next.snapshots = many, next.content = run;
      auto begun = std::chrono::steady_clock::now();
      co_await store.keep(next, list);
      auto kept = milliseconds_since(begun);
      begun = std::chrono::steady_clock::now();
      auto found = co_await read(bus, store.head("r"));
      std::printf("%d rows: kept in %lld ms, read in %lld ms\n", many, static_cast<long long>(kept),
                  static_cast<long long>(milliseconds_since(begun)));
      EXPECT_TRUE(found.whole);
      EXPECT_EQ(found.rows, static_cast<std::size_t>(many));
      EXPECT_EQ(found.most, static_cast<std::size_t>(a_page)) << "nobody holds more than that of it";
    }
  };
  co_await app::first_of(follow(store), use(store, bus));
  // Two lists are stored, the current and the previous one, and no third.
  auto info = must(co_await bus.info(std::string(subjects::lists)));
  EXPECT_LE(info.messages, 2U * (many / a_page));
}

TEST(ListOnARealBus, Of50000IsKeptAndReadPageByPage) {
  testing::nats_server server;
  asio::io_context loop(1);
  app::system_clock time(loop.get_executor());
  auto all = [&]() -> awaitable<void> {
    auto bus = must(co_await bus::nats_port::open(loop, {.urls = {server.url()}, .name = "test"}));
    co_await app::within(time, 250s, keep_and_read(*bus, time), "it took too long");
    co_await bus->close();
  };
  std::exception_ptr failed;
  asio::co_spawn(loop, all(), [&](std::exception_ptr e) { failed = e, loop.stop(); });
  loop.run();
  if (failed) std::rethrow_exception(failed);
}

}  // namespace
}  // namespace kopiur::catalog_discovery
