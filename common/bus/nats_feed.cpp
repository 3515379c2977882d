#include "common/bus/nats_feed.hpp"

#include <algorithm>
#include <boost/asio.hpp>

#include "common/bus/publish.hpp"
#include "common/bus/unique.hpp"
#include "common/bus/wire_config.hpp"
#include "common/encoding/join.hpp"

namespace kopiur::bus {

using namespace std::chrono_literals;

namespace {
constexpr int window = 1024;

std::uint64_t pending_of(json::value const& made) {
  auto* count = made.find("num_pending");
  return count && count->as_int() ? static_cast<std::uint64_t>(std::max<std::int64_t>(*count->as_int(), 0)) : 0;
}

}  // namespace

nats_feed::nats_feed(std::shared_ptr<session> session, std::string stream, std::vector<std::string> filters)
    : session_(std::move(session)),
      stream_(std::move(stream)),
      filters_(std::move(filters)),
      window_(window, [this](int batch) { session_->pull(now_.key, now_.number, generation_, batch); }),
      changed_(session_->link().loop().get_executor()) {
  if (filters_.empty()) filters_.push_back(">");
}

nats_feed::~nats_feed() { end(); }

asio::awaitable<feed_item> nats_feed::next() {
  while (queue_.empty() || !alive_) {
    if (alive_)
      co_await changed_.wait(changed_.epoch());
    else
      co_await begin();
  }
  auto first = std::move(queue_.front());
  queue_.pop_front();
  if (std::holds_alternative<stored>(first)) window_.taken(session::steady::now());
  co_return first;
}

asio::awaitable<void> nats_feed::begin() {
  end();
  auto made = co_await make_consumer();
  if (!made) {
    if (failed_++ % 30 == 0) session_->notice("a feed of stream " + stream_ + " cannot start yet: " + made.error().text);
    asio::steady_timer timer(session_->link().loop(), std::min<std::chrono::milliseconds>(100ms * failed_, 1s));
    co_return co_await timer.async_wait(asio::use_awaitable);
  }
  failed_ = 0;
}

asio::awaitable<result<std::uint64_t>> nats_feed::furthest() {
  std::uint64_t most = 0;
  for (auto const& filter : filters_) {
    auto one = co_await last(*session_, stream_, filter);
    if (!one) co_return std::unexpected(std::move(one).error());
    if (*one) most = std::max(most, (*one)->sequence);
  }
  co_return most;
}

asio::awaitable<result<void>> nats_feed::make_consumer() {
  life fresh;
  auto reach = co_await furthest();
  if (!reach) co_return std::unexpected(std::move(reach).error());
  auto name = unique_token();
  auto config = wire::feed_body(name, filters_);
  auto subject = "CONSUMER.CREATE." + stream_ + "." + name;
  if (filters_.size() == 1 && filters_.front() != ">") subject += "." + filters_.front();  // so that permissions can be granted by filter
  auto const epoch = generation_;
  auto made = co_await session_->ask(subject, wire::consumer_request(stream_, config, "create"));
  if (!made) co_return std::unexpected(std::move(made).error().what);
  auto* echo = made->find("config");
  auto faults = echo ? wire::differences(config, *echo) : std::vector<std::string>{"the server's answer has no config"};
  if (!faults.empty())
    co_return std::unexpected(error{failure::refused, "the server made another consumer: " + encoding::join(faults, "; "), {}});
  if (epoch != generation_ || !session_->link().connected())
    co_return std::unexpected(error{failure::disconnected, "the connection broke while it was made", {}});
  fresh.key = stream_ + "." + name;
  fresh.target = *reach;
  fresh.initial = pending_of(*made);
  now_ = std::move(fresh);
  now_.number = session_->enroll(now_.key, *this);
  if (begun_) queue_.emplace_back(restarted{});
  alive_ = begun_ = true;
  if (now_.target == 0 && now_.initial == 0) catch_up();
  window_ = pull_window(window, [this](int batch) { session_->pull(now_.key, now_.number, generation_, batch); });
  window_.start(session::steady::now());
  co_return result<void>{};
}

void nats_feed::end() {
  if (now_.number) session_->withdraw(now_.key, now_.number);
  now_ = {};
  alive_ = false;
  queue_.clear();
  window_.stop();
  ++generation_;
}

void nats_feed::lose(std::string const& why) {
  if (!alive_) return;
  if (!why.empty()) session_->notice("a feed of stream " + stream_ + " starts over: " + why);
  end();
  changed_.notify();
}

void nats_feed::catch_up() {
  now_.caught_up = true;
  queue_.emplace_back(caught_up{std::max(now_.sequence, now_.target)});
}

void nats_feed::arrived(message m, wire::ack_subject const& ack) {
  window_.arrived(session::steady::now());
  if (ack.consumer_sequence != ++now_.received) return lose("message " + std::to_string(now_.received) + " of its consumer is missing");
  now_.sequence = ack.stream_sequence;
  queue_.emplace_back(stored{std::string(m.subject()), std::string(m.body()), m.head(), ack.stream_sequence, ack.time});
  bool all = now_.received >= now_.initial || ack.pending == 0;
  if (!now_.caught_up && all && now_.sequence >= now_.target) catch_up();
  changed_.notify();
}

void nats_feed::status(wire::pull_status const& told, unsigned generation) {
  if (generation != generation_ || !alive_) return;
  window_.status(told, session::steady::now());
  if (told.code == 409 && told.text.find("Deleted") != std::string::npos) return lose("its consumer was deleted");
  if (told.code != 100) return;
  if (told.consumer_sequence.value_or(now_.received) > now_.received) return lose("messages before a heartbeat are missing");
  if (now_.caught_up) return;
  catch_up();  // the server has nothing more to deliver: the awaited message was erased
  changed_.notify();
}

void nats_feed::connected() { lose({}); }

void nats_feed::disconnected() {
  ++generation_;
  window_.stop();
}

void nats_feed::second() {
  if (alive_ && window_.is_silent(session::steady::now())) lose("the server fell silent");
}

}  // namespace kopiur::bus
