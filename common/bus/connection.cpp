#include "common/bus/connection.hpp"

#include <nats/nats.h>

#include <boost/asio.hpp>
#include <boost/asio/any_completion_handler.hpp>
#include <charconv>

#include "common/bus/connect.hpp"
#include "common/bus/unique.hpp"

namespace kopiur::bus {

using namespace std::chrono_literals;

namespace {
constexpr std::string_view pull_token = "pull.";
constexpr auto sweep = 50ms;      // how exact deadlines are
constexpr auto patience = 250ms;  // for those who may have met no responder
constexpr std::string_view violation = "Permissions Violation for Publish to \"";

asio::awaitable<void> nap(asio::io_context& loop, std::chrono::steady_clock::time_point until) {
  asio::steady_timer timer(loop, until);
  co_await timer.async_wait(asio::use_awaitable);
}
}  // namespace

/// nats.c's callback thread comes through here. It owns itself from a successful connect to the closed callback, which is the last.
struct connection::gate {
  std::mutex guard;
  asio::io_context* loop = nullptr;  // null once the connection is gone
  std::weak_ptr<connection> owner;
  std::shared_ptr<gate> self;
  bool ended = false;
  std::condition_variable end;

  template <class Step>
  void post(Step step) {
    std::lock_guard held(guard);
    if (!loop) return;
    asio::post(*loop, [to = owner, step] {
      if (auto still = to.lock()) step(*still);
    });
  }
};

/// What nats.c calls, on its own thread.
struct connection_callbacks {
  static void disconnected(natsConnection*, void* self) {
    static_cast<connection::gate*>(self)->post([](connection& c) { c.lost(); });
  }
  static void reconnected(natsConnection*, void* self) {
    static_cast<connection::gate*>(self)->post([](connection& c) { c.reconnected(); });
  }
  static void failed(natsConnection* nats, natsSubscription*, natsStatus, void* self) {
    char const* text = "";
    natsConnection_GetLastError(nats, &text);
    static_cast<connection::gate*>(self)->post([said = std::string(text ? text : "")](connection& c) { c.refused(said); });
  }
  static void closed(natsConnection* nats, void* self) {
    char const* text = "";
    natsConnection_GetLastError(nats, &text);
    auto* here = static_cast<connection::gate*>(self);
    here->post([said = std::string(text ? text : "")](connection& c) { c.ended(said); });
    std::shared_ptr<connection::gate> last;  // released after the lock
    std::lock_guard held(here->guard);
    here->ended = true;
    here->end.notify_all();
    last = std::move(here->self);
  }
};

connection::connection(asio::io_context& loop, nats_options options, connection_events told)
    : loop_(loop),
      options_(std::move(options)),
      told_(std::move(told)),
      inbox_(options_.inbox_prefix + "." + unique_token() + "."),
      gate_(std::make_shared<gate>()),
      changed_(loop.get_executor()),
      room_(loop.get_executor()),
      timer_(loop) {}

connection::~connection() {
  if (nats_ && !closed()) natsConnection_Close(nats_);
  if (pump_) pump_->retire();
  {
    std::unique_lock held(gate_->guard);
    gate_->loop = nullptr;
    if (nats_) gate_->end.wait_for(held, 5s, [this] { return gate_->ended; });
  }
  for (auto& [subscription, heard] : listening_) natsSubscription_Destroy(subscription);
  natsSubscription_Destroy(arrived_);
  natsConnection_Destroy(nats_);
}

asio::awaitable<result<void>> connection::open() {
  gate_->loop = &loop_;
  gate_->owner = weak_from_this();
  auto const until = steady::now() + options_.connect_for;
  while (true) {
    bool refused = false;
    auto problem = co_await connect_once(refused);
    if (problem.empty()) break;
    if (refused) co_return std::unexpected(error{failure::refused, "the bus refuses the login: " + problem, {}});
    if (steady::now() >= until)
      co_return std::unexpected(error{failure::disconnected,
                                      "no bus at " + join(options_.urls) + " within " + to_text(options_.connect_for) + " (" + problem +
                                          "). Start nats-server there, or name the right servers.",
                                      {}});
    co_await nap(loop_, steady::now() + 250ms);
  }
  if (auto problem = subscribe(); !problem.empty()) co_return std::unexpected(error{failure::refused, problem, {}});
  state_ = state::connected;
  tick();
  co_return result<void>{};
}

asio::awaitable<std::string> connection::connect_once(bool& refused) {
  pump_ = std::make_shared<socket_pump>(loop_, [to = weak_from_this()] {
    if (auto still = to.lock()) still->drain();
  });
  auto made = make_options(options_);
  if (!made) {
    refused = true;
    co_return made.error();
  }
  auto* options = made->get();
  natsOptions_SetDisconnectedCB(options, connection_callbacks::disconnected, gate_.get());
  natsOptions_SetReconnectedCB(options, connection_callbacks::reconnected, gate_.get());
  natsOptions_SetClosedCB(options, connection_callbacks::closed, gate_.get());
  natsOptions_SetErrorHandler(options, connection_callbacks::failed, gate_.get());
  pump_->install(options);
  gate_->self = gate_;  // before there is a thread that could end it
  auto outcome = co_await connect_elsewhere(loop_, *std::move(made));
  nats_ = outcome.connection;
  refused = outcome.refused;
  if (!nats_) gate_->self.reset();
  co_return outcome.problem;
}

std::string connection::subscribe() {
  auto status = natsConnection_SubscribeSync(&arrived_, nats_, (inbox_ + ">").c_str());
  if (status == NATS_OK) status = natsSubscription_SetPendingLimits(arrived_, -1, -1);
  return status == NATS_OK ? "" : "cannot subscribe to the own inbox " + inbox_ + ">: " + natsStatus_GetText(status);
}

asio::awaitable<connection::reply> connection::request(std::string const& subject, std::string_view body, headers const& head) {
  while (in_flight_ > options_.bytes_in_flight && connected()) co_await room_.wait(room_.epoch());
  if (!connected())
    co_return std::unexpected(error{closed() ? failure::closed : failure::disconnected, "there is no connection to the bus", {}});
  auto outcome = co_await asio::async_initiate<asio::use_awaitable_t<> const, void(reply)>(
      [&](auto handler) { start(std::move(handler), subject, body, head); }, asio::use_awaitable);
  auto cancelled = co_await asio::this_coro::cancellation_state;
  if (cancelled.cancelled() != asio::cancellation_type::none) throw boost::system::system_error(asio::error::operation_aborted);
  co_return outcome;
}

void connection::start(asio::any_completion_handler<void(reply)> done, std::string const& subject, std::string_view body,
                       headers const& head) {
  auto token = first_ + waiting_.size();
  waiting_.push_back({steady::now() + options_.answer_within, std::move(done), &subject, subject.size() + body.size()});
  in_flight_ += waiting_.back().bytes;
  // Boost 1.81 fills the slot of the erased handler with its own: the slot must be taken after erasing.
  if (auto slot = asio::get_associated_cancellation_slot(waiting_.back().done); slot.is_connected())
    slot.assign([to = weak_from_this(), token](asio::cancellation_type) {
      if (auto still = to.lock()) still->later(token, {failure::closed, "cancelled", {}});
    });
  if (auto problem = publish(make_message(subject, inbox_ + std::to_string(token), body, head)); !problem.empty())
    later(token, {failure::refused, "cannot send to " + subject + ": " + problem, {}});
}

std::string connection::publish(message const& what) {
  auto status = what.raw() ? natsConnection_PublishMsg(nats_, what.raw()) : NATS_INVALID_SUBJECT;
  return status == NATS_OK ? "" : natsStatus_GetText(status);
}

bool connection::send(std::string const& subject, std::string_view token, std::string_view body, headers const& head) {
  if (closed() || !nats_) return false;
  return publish(make_message(subject, token.empty() ? "" : inbox_ + std::string(token), body, head)).empty();
}

std::expected<connection::listening, error> connection::listen(std::string const& subject, std::function<void(message)> heard) {
  if (closed() || !nats_) return std::unexpected(error{failure::closed, "this bus was closed", {}});
  natsSubscription* made = nullptr;
  auto status = natsConnection_SubscribeSync(&made, nats_, subject.c_str());
  if (status != NATS_OK)
    return std::unexpected(error{failure::refused, "cannot listen to " + subject + ": " + natsStatus_GetText(status), {}});
  natsSubscription_SetPendingLimits(made, -1, -1);
  return listening_.emplace(listening_.end(), made, std::move(heard));
}

void connection::unlisten(listening which) {
  natsSubscription_Unsubscribe(which->first);
  natsSubscription_Destroy(which->first);
  listening_.erase(which);
}

void connection::drain() {
  natsMsg* raw = nullptr;
  for (auto& [subscription, heard] : listening_)
    while (natsSubscription_NextMsg(&raw, subscription, 0) == NATS_OK) heard(message(raw));
  while (arrived_) {
    auto status = natsSubscription_NextMsg(&raw, arrived_, 0);
    if (status == NATS_OK)
      dispatch(message(raw));
    else if (status == NATS_NO_RESPONDERS)
      no_responders();
    else
      return;
  }
}

void connection::dispatch(message m) {  // a stream message keeps its own subject: only its ack subject tells it apart
  auto tail = m.subject().starts_with(inbox_) ? m.subject().substr(inbox_.size()) : std::string_view{};
  if (m.reply().starts_with("$JS.ACK.") || tail.starts_with(pull_token)) return told_.delivered(std::move(m));
  std::uint64_t token = 0;
  std::from_chars(tail.data(), tail.data() + tail.size(), token);
  finish(token, std::move(m));
}

void connection::no_responders() {  // whose it was, nats.c does not say: all that wait now wait a little
  for (auto& each : waiting_) {
    each.deadline = std::min(each.deadline, steady::now() + patience);
    each.nobody_there = true;
  }
  told_.nobody_there();
}

void connection::finish(std::uint64_t token, reply outcome) {  // an old token is a late answer, 0 our heartbeat
  if (token < first_ || token - first_ >= waiting_.size()) return;
  auto& found = waiting_[token - first_];
  if (!found.done) return;
  auto done = std::move(found.done);
  if (in_flight_ > options_.bytes_in_flight && in_flight_ - found.bytes <= options_.bytes_in_flight) room_.notify();
  in_flight_ -= found.bytes;
  for (; !waiting_.empty() && !waiting_.front().done; ++first_) waiting_.pop_front();
  std::move(done)(std::move(outcome));
}

void connection::later(std::uint64_t token, error why) {
  asio::post(loop_, [to = weak_from_this(), token, why = std::move(why)]() mutable {
    if (auto still = to.lock()) still->finish(token, std::unexpected(std::move(why)));
  });
}

void connection::fail_all(error const& why) {
  for (auto last = first_ + waiting_.size(); first_ < last && !waiting_.empty();) finish(first_, std::unexpected(why));
}

void connection::refused(std::string const& text) {
  auto at = text.find(violation);
  if (at == std::string::npos) return options_.notice("the bus says: " + text);
  auto subject = text.substr(at + violation.size());
  subject.resize(std::min(subject.find('"'), subject.size()));
  bool asked = false;
  for (std::size_t i = 0; i < waiting_.size(); ++i)
    if (waiting_[i].done && *waiting_[i].subject == subject) {
      later(first_ + i, {failure::refused, "this login may not publish to " + subject, {}});
      asked = true;
    }
  if (!asked) options_.notice("the bus says: " + text);
}

void connection::lost() {
  if (closed()) return;
  state_ = state::disconnected;
  fail_all({failure::disconnected, "the connection to the bus broke", {}});
  room_.notify();
  told_.disconnected();
}

void connection::reconnected() {
  if (closed()) return;
  state_ = state::connected;
  changed_.notify();
  told_.connected();
}

void connection::ended(std::string const& why) {
  if (closed()) return;
  if (!ours_) reason_ = why;
  state_ = state::closed;
  timer_.cancel();
  fail_all({failure::closed, "this bus was closed", {}});
  room_.notify();
  changed_.notify();
  told_.disconnected();
}

error connection::late(waiter const& w) const {
  if (w.nobody_there) return {failure::no_responders, "nobody answers at " + *w.subject, {}};
  return {failure::timed_out, "no answer from " + *w.subject + " within " + to_text(options_.answer_within), {}};
}

void connection::tick() {  // one timer for all: limits are equal, so the oldest waiter is the first to time out
  auto now = steady::now();
  while (!waiting_.empty() && waiting_.front().deadline <= now) finish(first_, std::unexpected(late(waiting_.front())));
  if (now >= next_beat_) {
    next_beat_ = now + options_.beat;
    send(inbox_ + "0", {}, {});
  }
  pump_->sever_after(options_.silence);
  if (now >= next_second_) {
    next_second_ = now + 1s;
    told_.second();
  }
  if (closed()) return;
  timer_.expires_after(sweep);
  timer_.async_wait([to = weak_from_this()](boost::system::error_code stopped) {
    auto still = to.lock();
    if (!stopped && still && !still->closed()) still->tick();
  });
}

asio::awaitable<bool> connection::until_connected(steady::time_point deadline) {
  while (!connected() && !closed() && steady::now() < deadline)
    co_await app::first_of(changed_.wait(changed_.epoch()), nap(loop_, deadline));
  co_return connected();
}

asio::awaitable<void> connection::until_closed() {
  while (!closed()) co_await changed_.wait(changed_.epoch());
}

asio::awaitable<void> connection::close() {
  if (closed() || !nats_) {
    state_ = state::closed;
    co_return;
  }
  auto self = shared_from_this();
  if (connected()) {  // a message to ourselves comes back behind all that was sent: nats.c drops what is unsent when it closes
    auto back = inbox_ + std::to_string(first_ + waiting_.size());
    co_await request(back, {});
  }
  ours_ = true;
  natsConnection_Close(nats_);
  co_await until_closed();
}

void connection::mute() {
  told_ = {[](message) {}, [] {}, [] {}, [] {}, [] {}};
}

std::string connection::url() const {
  char text[512] = "";
  natsConnection_GetConnectedUrl(nats_, text, sizeof text);
  return text;
}

}  // namespace kopiur::bus
