#include "common/http/serve_clients.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio.hpp>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/http/test/sockets.hpp"
#include "common/testing/run.hpp"

namespace kopiur::http {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::awaitable;
using asio::use_awaitable;
using asio::ip::tcp;

/// A server on a port, which answers `echo` with the length of the body, and its clients. A request for /held waits for `release`.
struct stage {
  explicit stage(asio::io_context& context)
      : loop(context), time(loop.get_executor()), door(loop, {asio::ip::make_address("127.0.0.1"), 0}), release(loop.get_executor()) {}

  awaitable<page> answer(asked what) {
    ++asked_for;
    if (what.path == "/held") co_await release.wait(0);
    co_return page{200, std::to_string(what.body.size())};
  }
  awaitable<void> serve(manners terms, server_limits limits) {
    limits.report = [this](std::string sentence) { said.push_back(std::move(sentence)); };
    return serve_clients(door, [this](asked what) { return answer(std::move(what)); }, [terms] { return terms; }, std::move(limits));
  }
  awaitable<tcp::socket> client(std::string text = "") {
    tcp::socket socket(loop);
    co_await socket.async_connect(door.local_endpoint(), use_awaitable);
    co_await say(socket, std::move(text));
    co_return socket;
  }
  awaitable<std::string> get(std::string path = "/") {
    auto socket = co_await client("GET " + path + " HTTP/1.1\r\nConnection: close\r\n\r\n");
    co_return co_await hear(socket);
  }
  awaitable<void> until(std::function<bool()> holds) {
    auto wait = [](stage& it, std::function<bool()> is) -> awaitable<void> {
      while (!is()) co_await it.time.sleep_for(5ms);
    };
    co_await app::within(time, 20s, wait(*this, std::move(holds)), "it never holds");
  }

  asio::io_context& loop;
  app::system_clock time;
  tcp::acceptor door;
  app::event release;
  int asked_for = 0;
  std::vector<std::string> said;
};

void with_server(manners terms, server_limits limits, std::function<awaitable<void>(stage&)> story) {
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    stage it(loop);
    co_await app::first_of(it.serve(terms, limits), story(it));
  });
}

TEST(ServeClients, AnswersANewClientThoughSilentOnesHaveEveryPlace) {
  with_server({}, {.clients = 10}, [](stage& it) -> awaitable<void> {
    std::vector<tcp::socket> silent;
    for (int i = 0; i < 100; ++i) silent.push_back(co_await it.client(i % 2 ? "" : "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhell"));
    EXPECT_TRUE((co_await it.get()).starts_with("HTTP/1.1 200 "));
    EXPECT_EQ(co_await hear(silent.front()), "") << "the oldest was closed";
  });
}

TEST(ServeClients, ClosesANewClientWhenAllOthersAreBeingAnswered) {
  with_server({}, {.clients = 2}, [](stage& it) -> awaitable<void> {
    auto one = co_await it.client("GET /held HTTP/1.1\r\nConnection: close\r\n\r\n");
    auto two = co_await it.client("GET /held HTTP/1.1\r\nConnection: close\r\n\r\n");
    co_await it.until([&] { return it.asked_for == 2; });
    EXPECT_EQ(co_await it.get(), "");
    it.release.notify();
    EXPECT_TRUE((co_await hear(one)).starts_with("HTTP/1.1 200 "));
    EXPECT_TRUE((co_await hear(two)).starts_with("HTTP/1.1 200 "));
  });
}

/// Two clients state that they send 100 bytes each, of the 150 that all may hold together, and send nothing.
TEST(ServeClients, CountsABodyBeforeItIsRead) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop);
    auto bytes = std::make_shared<byte_budget>(loop.get_executor(), 150, 10);
    auto post = [](int length) { return "POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n"; };
    auto story = [&]() -> awaitable<void> {
      auto first = co_await it.client(post(100));
      auto second = co_await it.client(post(100));
      auto refused = co_await hear(second);
      EXPECT_TRUE(refused.starts_with("HTTP/1.1 503 ")) << refused;
      EXPECT_NE(refused.find("there is no memory for this one. Try again later."), std::string::npos) << refused;
      auto small = co_await it.client(post(10) + std::string(10, 'x'));
      EXPECT_TRUE((co_await hear(small)).ends_with("\r\n\r\n10")) << "a small one never waits";
      auto fits = co_await it.client(post(50) + std::string(50, 'x'));
      EXPECT_TRUE((co_await hear(fits)).ends_with("\r\n\r\n50"));
      auto larger = co_await it.client(post(151));
      EXPECT_TRUE((co_await hear(larger)).starts_with("HTTP/1.1 503 ")) << "than all of it";
      first.close();
      auto third = co_await it.client(post(100) + std::string(100, 'x'));
      EXPECT_TRUE((co_await hear(third)).ends_with("\r\n\r\n100")) << "its share was given back";
    };
    co_await app::first_of(it.serve({.room = 50ms, .bytes = bytes}, {}), story());
  });
}

TEST(ServeClients, LetsARequestWaitForItsShare) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop);
    auto bytes = std::make_shared<byte_budget>(loop.get_executor(), 150, 10);
    auto held = "POST /held HTTP/1.1\r\nConnection: close\r\nContent-Length: 100\r\n\r\n" + std::string(100, 'x');
    auto story = [&]() -> awaitable<void> {
      auto first = co_await it.client(held);
      co_await it.until([&] { return it.asked_for == 1; });
      auto second = co_await it.client(held);
      it.release.notify();
      EXPECT_TRUE((co_await hear(first)).ends_with("100"));
      EXPECT_TRUE((co_await hear(second)).ends_with("100"));
    };
    co_await app::first_of(it.serve({.room = 20s, .bytes = bytes}, {}), story());
  });
}

/// Uses every descriptor that is left to this process.
class no_descriptors {
 public:
  no_descriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    auto low = before_;
    low.rlim_cur = 256;
    ::setrlimit(RLIMIT_NOFILE, &low);
    for (int taken = ::dup(0); taken >= 0; taken = ::dup(0)) taken_.push_back(taken);
  }
  ~no_descriptors() {
    for (int each : taken_) ::close(each);
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }

 private:
  rlimit before_{};
  std::vector<int> taken_;
};

TEST(ServeClients, GoesOnAfterAnErrorOfAccepting) {
  with_server({}, {}, [](stage& it) -> awaitable<void> {
    tcp::socket waiting(it.loop, tcp::v4());
    {
      no_descriptors none;
      co_await waiting.async_connect(it.door.local_endpoint(), use_awaitable);
      co_await it.until([&] { return !it.said.empty(); });
    }
    EXPECT_TRUE((co_await it.get()).starts_with("HTTP/1.1 200 "));
    EXPECT_EQ(it.said, std::vector<std::string>{"No connection can be accepted at the moment: Too many open files. It is tried again; if "
                                                "this does not end, raise the limit of open files."});
    co_await asio::async_write(waiting, asio::buffer("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 37), use_awaitable);
    EXPECT_TRUE((co_await hear(waiting)).starts_with("HTTP/1.1 200 ")) << "also who came meanwhile";
  });
}

}  // namespace
}  // namespace kopiur::http
