#include "services/executor/shell/openbao/members.hpp"

#include "common/app/system_clock.hpp"
#include "services/executor/test/program.hpp"

namespace kopiur::executor::test {
namespace {

using namespace std::chrono_literals;

/// Time that passes only when the test says so.
class hand_clock final : public clock {
 public:
  explicit hand_clock(asio::any_io_executor const& loop) : changed_(loop) {}
  instant now() const override { return now_; }
  duration steady() const override { return now_.time_since_epoch(); }
  asio::awaitable<void> sleep_until(instant when) override { co_await sleep_for(when - now_); }
  asio::awaitable<void> sleep_for(duration length) override {
    auto end = now_ + length;
    ++sleeps[length];
    note();
    while (now_ < end) co_await changed_.wait(changed_.epoch());
  }
  void pass(duration length) {
    now_ += length;
    note();
  }
  /// Something happened that until() may wait for.
  void note() { changed_.notify(); }
  asio::awaitable<void> until(std::function<bool()> is_so) {
    while (!is_so()) co_await changed_.wait(changed_.epoch());
  }
  std::map<duration, int> sleeps;  ///< how many of each length have begun

 private:
  instant now_{};
  app::event changed_;
};

/// Three members: two take connections and are silent, as pods of a dead node; the third is a standby.
struct half_dead {
  half_dead(asio::io_context& runner, fs::path const& certificate)
      : loop(runner), time(runner.get_executor()), tls(make_tls(certificate, ",DNS:stub-2.stub.ns.svc")), guests(runner.get_executor()) {
    for (std::uint8_t i = 0; i < 3; ++i) {
      doors.emplace_back(loop, asio::ip::tcp::endpoint{asio::ip::address_v4({127, 0, 4, static_cast<std::uint8_t>(i + 1)}), 8200});
      guests.spawn(serve(*this, i));
    }
  }
  static asio::awaitable<void> serve(half_dead& self, std::size_t ordinal) {
    for (;;) {
      auto guest = co_await self.doors.at(ordinal).async_accept(asio::use_awaitable);
      self.guests.spawn(attend(self, ordinal, std::move(guest)));
    }
  }
  static asio::awaitable<void> attend(half_dead& self, std::size_t ordinal, asio::ip::tcp::socket guest) {
    if (ordinal != 2) ++self.served.at(ordinal), self.time.note();
    if (ordinal != 2) co_return co_await be_silent(std::move(guest));
    auto answer = [&self](http::asked) -> asio::awaitable<http::page> {
      co_return http::page{.body = std::string(R"({"initialized":true,"sealed":false,"standby":)") + (self.leads ? "false}" : "true}")};
    };
    co_await http::attend(std::move(guest), answer, {.tls = self.tls});
    ++self.served.at(ordinal), self.time.note();  // the client has closed: it has the answer
  }
  static asio::awaitable<void> be_silent(asio::ip::tcp::socket guest) {
    std::string said(4096, 0);
    boost::system::error_code ended;
    while (!ended) co_await guest.async_read_some(asio::buffer(said), asio::redirect_error(asio::use_awaitable, ended));
  }

  asio::io_context& loop;
  hand_clock time;
  std::shared_ptr<asio::ssl::context> tls;
  std::deque<asio::ip::tcp::acceptor> doors;
  std::vector<int> served{0, 0, 0};
  bool leads = false;
  app::nursery guests;
};

/// The time passes as the search needs it, and in the last of its five rounds the third member leads.
asio::awaitable<void> let_time_pass(half_dead& pods) {
  for (int round = 1; round <= 5; ++round) {
    pods.leads = round == 5;
    co_await pods.time.until([&pods, round] { return pods.served == std::vector{round, round, round}; });
    pods.time.pass(5s);
    if (round == 5) co_return;
    auto pause = 1s * (1 << (round - 1));
    co_await pods.time.until([&pods, pause] { return pods.time.sleeps.contains(pause); });
    pods.time.pass(pause);
  }
}

/// A6.16: upstream asks one after the other, for 10 s each: two dead pods use up the 60 s of the search.
TEST(BaoMembers, TheLeaderIsFoundInTimeBesideDeadPods) {
  testing::folder folder;
  testing::run([&](asio::io_context& loop) -> asio::awaitable<void> {
    half_dead pods(loop, folder / "ca.crt");
    auto began = pods.time.now();
    openbao::cluster which{.name = "stub", .ns = "ns", .stateful_set = "stub", .suffix = {}, .replicas = 3, .ca_file = folder / "ca.crt"};
    auto members = openbao::members::open(pods.time, loop.get_executor(), which).value();
    openbao::outcome<int> leader = std::unexpected(openbao::trouble{});
    auto search = [](openbao::members& among, openbao::outcome<int>& found) -> asio::awaitable<void> {
      found = co_await among.find_leader();
    };
    app::nursery both(loop.get_executor());
    both.spawn(search(*members, leader)), both.spawn(let_time_pass(pods));
    app::system_clock wall(loop.get_executor());
    bool ended = true;
    try {
      co_await app::within(wall, 20s, both.join(), "the members are not asked together, or not for 5 s");
    } catch (app::timed_out const&) {
      ended = false;
    }
    EXPECT_TRUE(ended) << "the members are not asked together, or not for 5 s";
    EXPECT_EQ(leader.value_or(-1), 2);
    EXPECT_EQ(pods.time.now() - began, 40s);
    pods.guests.cancel();
    co_await pods.guests.join();
  });
}

}  // namespace
}  // namespace kopiur::executor::test
