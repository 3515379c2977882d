#include "common/bus/session.hpp"

#include <algorithm>
#include <boost/asio.hpp>
#include <charconv>

#include "common/bus/unique.hpp"

namespace kopiur::bus {

using namespace std::chrono_literals;

namespace {

asio::awaitable<void> pause(asio::io_context& loop, std::chrono::steady_clock::duration length) {
  asio::steady_timer timer(loop, length);
  co_await timer.async_wait(asio::use_awaitable);
}

/// Doubles from 50 ms to 2 s: a leader change takes 5 to 8 s.
duration backoff(int attempt) { return std::min(duration(50) * (1 << std::min(attempt - 1, 6)), duration(2000)); }

/// The two numbers of `pull.<number>.<generation>` at the end of an inbox subject.
std::optional<std::pair<std::uint64_t, unsigned>> pull_numbers(std::string_view subject) {
  auto last = subject.rfind('.');
  auto before = last == std::string_view::npos || last == 0 ? last : subject.rfind('.', last - 1);
  if (before == std::string_view::npos) return std::nullopt;
  std::uint64_t number = 0;
  unsigned generation = 0;
  std::from_chars(subject.data() + before + 1, subject.data() + last, number);
  std::from_chars(subject.data() + last + 1, subject.data() + subject.size(), generation);
  return std::pair(number, generation);
}

}  // namespace

session::session(asio::io_context& loop, nats_options options) : id_prefix_(unique_token() + "."), idle_(loop.get_executor()) {
  link_ = std::make_shared<connection>(loop, std::move(options), events());
}

session::~session() { link_->mute(); }

connection_events session::events() {
  return {.delivered = [this](message m) { delivered(std::move(m)); },
          .connected = [this] { each(&puller::connected); },
          .disconnected = [this] { each(&puller::disconnected); },
          .nobody_there = [this] { each(&puller::nobody_there); },
          .second = [this] { each(&puller::second); }};
}

asio::awaitable<wire::answer> session::ask(std::string what, std::string body) {
  auto self = shared_from_this();
  auto const subject = "$JS.API." + what;
  auto const until = deadline();
  for (int attempt = 1;; ++attempt) {
    wire::refusal why;
    if (auto sent = co_await link_->request(subject, body)) {
      auto read = wire::read_answer(sent->body());
      if (read) co_return read;
      why = std::move(read).error();
      if (!wire::is_passing(why.err_code)) co_return std::unexpected(std::move(why));
    } else {
      why.what = std::move(sent).error();
    }
    if (!co_await again(why.what, attempt, until)) co_return std::unexpected(std::move(why));
  }
}

asio::awaitable<bool> session::again(error const& why, int attempt, steady::time_point until) {
  auto kind = why.kind;
  if (kind == failure::closed || kind == failure::refused || kind == failure::too_large || link_->closed()) co_return false;
  if (steady::now() >= until) co_return false;
  if (kind != failure::disconnected) co_await pause(link_->loop(), std::min<steady::duration>(backoff(attempt), until - steady::now()));
  co_return co_await link_->until_connected(until);
}

std::uint64_t session::enroll(std::string key, puller& who) {
  pullers_[std::move(key)].push_back({++numbers_, &who});
  return numbers_;
}

void session::withdraw(std::string const& key, std::uint64_t number) {
  auto found = pullers_.find(key);
  if (found == pullers_.end()) return;
  std::erase_if(found->second, [number](member const& one) { return one.number == number; });
  if (found->second.empty()) pullers_.erase(found);
}

void session::pull(std::string const& key, std::uint64_t number, unsigned generation, int batch) {
  auto token = "pull." + std::to_string(number) + "." + std::to_string(generation);
  link_->send("$JS.API.CONSUMER.MSG.NEXT." + key, token, wire::pull_body(batch));
}

void session::delivered(message m) {
  if (m.reply().empty()) return tell_status(m);
  if (auto ack = wire::read_ack_subject(m.reply())) deliver(std::move(m), *ack);
}

void session::deliver(message m, wire::ack_subject const& ack) {
  auto found = pullers_.find(ack.key);
  if (found == pullers_.end()) {  // its worker no longer exists: redeliver at once, to another
    link_->send(std::string(m.reply()), {}, wire::retry_text({}));
    return;
  }
  auto neediest = std::ranges::max_element(found->second, {}, [](member const& one) { return one.who->asked(); });
  neediest->who->arrived(std::move(m), ack);
}

void session::tell_status(message const& m) {
  auto numbers = pull_numbers(m.subject());
  if (!numbers) return;
  for (auto const& [key, members] : pullers_)
    for (auto const& one : members)
      if (one.number == numbers->first) return one.who->status(m.status(), numbers->second);
}

void session::each(void (puller::*told)()) {
  std::vector<puller*> all;  // a callback may withdraw its own puller, no other
  for (auto const& [key, members] : pullers_)
    for (auto const& one : members) all.push_back(one.who);
  for (auto* one : all) (one->*told)();
}

void session::ended() {
  --busy_;
  idle_.notify();
}

asio::awaitable<void> session::close() {
  auto self = shared_from_this();
  while (busy_ > 0 && !link_->closed()) co_await idle_.wait(idle_.epoch());
  co_await link_->close();
}

}  // namespace kopiur::bus
