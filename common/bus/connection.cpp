#include "common/bus/connection.hpp"

#include <nats/nats.h>

#include <array>
#include <boost/asio.hpp>
#include <boost/asio/any_completion_handler.hpp>

#include "common/bus/unique.hpp"
#include "common/encoding/join.hpp"
#include "common/encoding/number.hpp"
#include "common/time/backoff.hpp"

namespace kopiur::bus {

using namespace std::chrono_literals;

namespace {
constexpr std::string_view pull_token = "pull.";
constexpr auto sweep = 50ms;  // precision of deadlines
constexpr std::size_t most_kept = std::size_t{8} << 20;
constexpr std::string_view violation = "Permissions Violation for Publish to \"";

asio::awaitable<void> nap(asio::io_context& loop, std::chrono::steady_clock::time_point until) {
  asio::steady_timer timer(loop, until);
  co_await timer.async_wait(asio::use_awaitable);
}
}  // namespace

connection::connection(asio::io_context& loop, nats_options options, connection_events told)
    : loop_(loop),
      options_(std::move(options)),
      told_(std::move(told)),
      inbox_(options_.inbox_prefix + "." + unique_token() + "."),
      changed_(loop.get_executor()),
      room_(loop.get_executor()),
      timer_(loop) {}

connection::~connection() {
  if (attempt_) nats_ = attempt_->take().connection;
  release();
}

void connection::release() {
  if (nats_) natsConnection_Close(nats_);
  if (pump_) pump_->retire();
  if (gate_) gate_->shut(nats_);
  for (auto& each : listening_) natsSubscription_Destroy(std::exchange(each.subscription, nullptr));
  natsSubscription_Destroy(std::exchange(arrived_, nullptr));
  natsConnection_Destroy(std::exchange(nats_, nullptr));
}

asio::awaitable<result<void>> connection::open() {
  auto const until = steady::now() + options_.connect_for;
  for (auto wait = 10ms;; wait = std::min(2 * wait, 250ms)) {  // a server started together with us is up in a moment
    bool refused = false;
    auto problem = co_await connect_once(refused);
    if (problem.empty()) break;
    if (refused) co_return std::unexpected(error{failure::refused, problem, {}});
    if (steady::now() >= until)
      co_return std::unexpected(error{failure::disconnected,
                                      "no bus" + place() + " within " + to_text(options_.connect_for) + " (" + problem + ")." +
                                          (options_.locate ? "" : " Start nats-server there, or name the right servers."),
                                      {}});
    co_await nap(loop_, steady::now() + wait);
  }
  state_ = state::connected;
  tick();
  co_return result<void>{};
}

asio::awaitable<std::string> connection::connect_once(bool& refused) {
  if (options_.locate) {
    if (auto problem = options_.locate(options_); !problem.empty()) co_return problem;
    discovered_.clear();
  }
  gate_ = std::make_shared<gate>(loop_, weak_from_this());
  pump_ = std::make_shared<socket_pump>(loop_, [weak = weak_from_this()] {
    if (auto still = weak.lock()) still->drain();
  });
  auto made = make_options(options_, discovered_);
  if (!made) {
    refused = true;
    co_return made.error();
  }
  auto* options = made->get();
  gate_->install(options);
  pump_->install(options);
  attempt_.emplace(loop_, *std::move(made));
  co_await attempt_->until_over();
  auto outcome = attempt_->take();
  attempt_.reset();
  nats_ = outcome.connection;
  refused = outcome.refused;
  if (nats_) outcome.problem = subscribe();
  if (!outcome.problem.empty()) release();
  co_return outcome.problem;
}

std::string connection::subscribe() {
  auto problem = subscribe(inbox_ + ">", arrived_);
  for (auto& each : listening_)
    if (problem.empty()) problem = subscribe(each.subject, each.subscription);
  return problem.empty() && natsConnection_IsClosed(nats_) ? "the connection broke at once" : problem;
}

std::string connection::subscribe(std::string const& subject, natsSubscription*& made) {
  auto status = natsConnection_SubscribeSync(&made, nats_, subject.c_str());
  if (status == NATS_OK) status = natsSubscription_SetPendingLimits(made, -1, -1);
  return status == NATS_OK ? "" : "cannot listen to " + subject + ": " + natsStatus_GetText(status);
}

asio::awaitable<void> connection::come_back() {
  auto self = shared_from_this();
  release();
  for (unsigned tries = 1, refusals = 0;; ++tries) {
    co_await nap(loop_, steady::now() + backoff(tries, {.first = 100ms, .limit = 1s}, inbox_));
    if (closed()) co_return;
    bool refused = false;
    auto problem = co_await connect_once(refused);
    if (closed()) co_return;
    if (problem.empty()) co_return resume();
    refusals = refused ? refusals + 1 : 0;
    if (refusals == 2) co_return finish(problem);
    if (tries % 60 == 10) options_.notice("there is no bus" + place() + " (" + problem + "). kopiur keeps trying.");
  }
}

std::string connection::place() const { return options_.locate ? "" : " at " + encoding::join(options_.urls); }

void connection::resume() {
  state_ = state::connected;
  for (kept_bytes_ = 0; !kept_.empty(); kept_.pop_front()) hand_over(kept_.front().subject, {}, kept_.front().body, kept_.front().head);
  changed_.notify();
  told_.connected();
}

asio::awaitable<connection::reply> connection::request(std::string const& subject, std::string_view body, headers const& head) {
  while (is_full() && connected()) co_await room_.wait(room_.epoch());
  if (!connected())
    co_return std::unexpected(error{closed() ? failure::closed : failure::disconnected, "there is no connection to the bus", {}});
  auto outcome = co_await asio::async_initiate<asio::use_awaitable_t<> const, void(reply)>(
      [&](auto handler) { start(std::move(handler), subject, body, head); }, asio::use_awaitable);
  auto cancelled = co_await asio::this_coro::cancellation_state;
  if (cancelled.cancelled() != asio::cancellation_type::none) throw boost::system::system_error(asio::error::operation_aborted);
  co_return outcome;
}

void connection::start(pending_requests::handler done, std::string const& subject, std::string_view body, headers const& head) {
  // Boost 1.81 fills the slot of the erased handler with its own: take the slot after type erasure.
  if (auto slot = asio::get_associated_cancellation_slot(done); slot.is_connected())
    slot.assign([connection = weak_from_this(), who = pending_.next()](asio::cancellation_type) {
      if (auto still = connection.lock()) still->later(who, {failure::closed, "cancelled", {}});
    });
  auto who = pending_.add(std::move(done), subject, subject.size() + body.size(), now_ + options_.answer_within);
  std::array<char, 20> digits;
  auto end = std::to_chars(digits.begin(), digits.end(), who.token).ptr;
  if (auto problem = hand_over(subject, {digits.data(), end}, body, head); !problem.empty())
    later(who, {why_unsent(body, head), "cannot send to " + subject + ": " + problem, {}});
}

/// nats.c may know before lost() has run on the loop.
bool connection::has_ended() const { return !connected() || natsConnection_IsClosed(nats_); }

failure connection::why_unsent(std::string_view body, headers const& head) const {
  if (has_ended()) return failure::disconnected;
  return bytes_on_wire(body, head) > max_payload() ? failure::too_large : failure::refused;
}

std::size_t connection::max_payload() const {
  return nats_ ? static_cast<std::size_t>(std::max<std::int64_t>(natsConnection_GetMaxPayload(nats_), 0)) : 0;
}

std::string connection::hand_over(std::string const& subject, std::string_view token, std::string_view body, headers const& head) {
  reply_to_.clear();
  if (!token.empty()) reply_to_.append(inbox_).append(token);
  auto problem = send_message(nats_, {subject, reply_to_, body, head});
  pump_->handed(subject.size() + reply_to_.size() + body.size());
  return problem;
}

bool connection::send(std::string const& subject, std::string_view token, std::string_view body, headers const& head) {
  if (closed()) return false;
  bool sent = connected() && hand_over(subject, token, body, head).empty();
  return sent || (token.empty() && has_ended() && keep(subject, body, head));
}

bool connection::keep(std::string const& subject, std::string_view body, headers const& head) {
  auto bytes = subject.size() + body.size();
  if (kept_bytes_ + bytes > most_kept) return false;
  kept_bytes_ += bytes;
  kept_.emplace_back(subject, std::string(body), head);
  return true;
}

std::expected<connection::listening, error> connection::listen(std::string const& subject, std::function<void(message)> heard) {
  if (closed()) return std::unexpected(error{failure::closed, "this bus was closed", {}});
  listener one{subject, std::move(heard)};
  auto problem = has_ended() ? std::string() : subscribe(subject, one.subscription);
  if (!problem.empty()) return std::unexpected(error{failure::refused, problem, {}});
  return listening_.insert(listening_.end(), std::move(one));
}

void connection::unlisten(listening which) {
  natsSubscription_Unsubscribe(which->subscription);
  natsSubscription_Destroy(which->subscription);
  listening_.erase(which);
}

void connection::drain() {
  now_ = steady::now();
  natsMsg* raw = nullptr;
  for (auto& each : listening_)
    while (natsSubscription_NextMsg(&raw, each.subscription, 0) == NATS_OK) each.heard(message(raw));
  while (arrived_) {
    auto status = natsSubscription_NextMsg(&raw, arrived_, 0);
    if (status == NATS_OK)
      dispatch(message(raw));
    else if (status == NATS_NO_RESPONDERS)
      nobody_there();
    else
      return;
  }
}

void connection::dispatch(message m) {  // a stream message keeps its own subject: only its ack subject identifies it
  auto tail = m.subject().starts_with(inbox_) ? m.subject().substr(inbox_.size()) : std::string_view{};
  if (m.reply().starts_with("$JS.ACK.") || tail.starts_with(pull_token)) return told_.delivered(std::move(m));
  bool full = is_full();
  pending_.answer(encoding::leading_number<std::uint64_t>(tail).value_or(0), std::move(m));
  ended_one(full);
}

void connection::nobody_there() {  // a request met no responder; nats.c consumes the message and does not say whose it was
  pending_.nobody_there(steady::now());
  told_.nobody_there();
}

void connection::ended_one(bool was_full) {
  if (was_full && !is_full()) room_.notify();
}

void connection::later(pending_requests::ticket who, error why) {
  asio::post(loop_, [weak = weak_from_this(), who, why = std::move(why)]() mutable {
    auto still = weak.lock();
    if (!still) return;
    bool full = still->is_full();
    still->pending_.fail(who, std::move(why));
    still->ended_one(full);
  });
}

void connection::said(std::string const& text) {
  auto offset = text.find(violation);
  if (offset == std::string::npos) return options_.notice("the bus says: " + text);
  auto subject = text.substr(offset + violation.size());
  subject.resize(std::min(subject.find('"'), subject.size()));
  auto refused = pending_.of(subject);
  for (auto who : refused) later(who, {failure::refused, "this login may not publish to " + subject, {}});
  if (refused.empty()) options_.notice("the bus says: " + text);
}

void connection::lost() {
  if (!connected()) return;
  state_ = state::broken;
  pending_.fail_all({failure::disconnected, "the connection to the bus broke", {}});
  room_.notify();
  told_.disconnected();
}

void connection::ended(std::string const&) {
  lost();
  if (state_ != state::broken) return;  // of a natsConnection that was already given up
  if (ours_) return finish({});
  discovered_ = discovered_by(nats_, options_);
  state_ = state::returning;
  asio::co_spawn(loop_, come_back(), [](std::exception_ptr failed) {
    if (failed && !app::is_cancelled(failed)) std::rethrow_exception(failed);
  });
}

void connection::finish(std::string why) {
  reason_ = std::move(why);
  state_ = state::closed;
  timer_.cancel();
  pending_.fail_all({failure::closed, "this bus was closed", {}});
  room_.notify();
  changed_.notify();
  told_.disconnected();
}

void connection::tick() {
  auto const now = now_ = steady::now();
  bool full = is_full();
  pending_.sweep(now, options_.answer_within);
  ended_one(full);
  if (now >= next_beat_) {
    next_beat_ = now + options_.beat;
    if (connected()) send(inbox_ + "0", {}, {});
  }
  pump_->sever_after(options_.silence);
  if (now >= next_second_) {
    next_second_ = now + 1s;
    told_.second();
  }
  if (closed()) return;
  timer_.expires_after(sweep);
  timer_.async_wait([weak = weak_from_this()](boost::system::error_code stopped) {
    auto still = weak.lock();
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
  if (closed()) co_return;
  auto self = shared_from_this();
  if (connected()) {  // a message to ourselves returns after all that was sent: nats.c drops unsent data when it closes
    auto back = inbox_ + std::to_string(pending_.next().token);
    co_await request(back, {});
  }
  ours_ = true;
  bool ends_of_itself = connected() || state_ == state::broken;
  if (!ends_of_itself) co_return finish({});
  natsConnection_Close(nats_);
  co_await until_closed();
}

void connection::mute() {
  told_ = {[](message) {}, [] {}, [] {}, [] {}, [] {}};
  if (state_ == state::returning) finish({});
}

std::string connection::url() const {
  char text[512] = "";
  natsConnection_GetConnectedUrl(nats_, text, sizeof text);
  return text;
}

}  // namespace kopiur::bus
