#pragma once
#include "common/testing/nats_server.hpp"
#include "services/executor/test/program.hpp"

/// A snapshot of a real etcd.
namespace kopiur::executor::test {

/// The path of a part.
inline std::string part(char const* variable) {
  auto* path = std::getenv(variable);
  if (!path) throw std::runtime_error(std::string(variable) + " names no program: run `./dev setup`, which builds it.");
  return path;
}

/// Runs a program to its end, and returns its exit status.
inline asio::awaitable<int> end_of(asio::io_context& loop, std::vector<std::string> arguments) {
  process::child child(loop.get_executor(), {.arguments = std::move(arguments)});
  app::nursery readers(loop.get_executor());
  readers.spawn(process::drain(child.out(), [](std::string_view) {}));
  readers.spawn(process::drain(child.err(), [](std::string_view) {}));
  co_await readers.join();
  co_return (co_await child.wait()).code;
}

/// What `etcdctl snapshot save` made of a real etcd with 11 keys.
inline std::string take_snapshot() {
  testing::folder folder;
  testing::run([&](asio::io_context& loop) -> asio::awaitable<void> {
    auto url = [] { return "http://127.0.0.1:" + std::to_string(testing::free_port()); };
    auto client = url(), peer = url();
    auto log = (folder / "log").string();
    process::command etcd{
        .arguments = {"/bin/sh", "-c", "exec \"$@\" > " + log + " 2>&1", "sh", part("KOPIUR_ETCD"), "--data-dir", folder / "data"}};
    for (std::string each : {"--listen-client-urls", "--advertise-client-urls"})
      etcd.arguments.insert(etcd.arguments.end(), {each, client});
    etcd.arguments.insert(etcd.arguments.end(), {"--listen-peer-urls", peer});
    process::child child(loop.get_executor(), etcd);
    std::vector<std::string> etcdctl{part("KOPIUR_ETCDCTL"), "--endpoints", client};
    auto call = [&](std::vector<std::string> more) {
      more.insert(more.begin(), etcdctl.begin(), etcdctl.end());
      return end_of(loop, std::move(more));
    };
    int failed = 1;
    for (auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60); failed && std::chrono::steady_clock::now() < until;)
      failed = co_await call({"get", "greeting"});
    EXPECT_EQ(failed, 0) << read_all(log);
    for (int i = 0; i < 11; ++i) EXPECT_EQ(co_await call({"put", "key-" + std::to_string(i), std::string(100'000, 'y')}), 0);
    EXPECT_EQ(co_await call({"snapshot", "save", folder / "snapshot.db"}), 0);
  });
  return read_all(folder / "snapshot.db");
}

/// The same one for all tests of this program.
inline std::string const& snapshot() {
  static std::string const one = take_snapshot();
  return one;
}

}  // namespace kopiur::executor::test
