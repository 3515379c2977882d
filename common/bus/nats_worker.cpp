#include "common/bus/nats_worker.hpp"

#include <algorithm>
#include <boost/asio.hpp>

#include "common/bus/dead_letters.hpp"
#include "common/bus/publish.hpp"

namespace kopiur::bus {

namespace {

/// Delay before a poison message is delivered again when its dead letter could not be stored.
constexpr duration store_again_after{30'000};

/// The message with its body, also if the consumer left that out; nothing: a newer one has replaced it.
asio::awaitable<result<std::optional<stored>>> whole(session& session, std::string const& stream, stored const& message) {
  if (body_size(message) == message.body.size()) co_return message;
  co_return co_await at(session, stream, message.sequence);
}

/// Copies first, then settles: a work queue forgets a settled message.
asio::awaitable<void> store_then_settle(std::shared_ptr<session> session, delivery one, handling_failure why) {
  auto message = co_await whole(*session, why.stream, one.message);
  if (!message || !*message) {
    session->link().send(one.ticket, {}, message ? wire::reject_text(why.reason) : wire::retry_text(store_again_after));
    co_return;
  }
  auto letter = dead_letter(session->options().dead_letters, **message, why);
  auto target = letter.subject;
  auto stored = co_await publish(session, std::move(letter));
  if (!stored)
    session->notice("a dead letter could not be stored at " + target + ": " + stored.error().text + ". Its message will come again.");
  if (stored && !stored->duplicate) session->options().on_dead_letter(why);
  session->link().send(one.ticket, {}, stored ? wire::reject_text(why.reason) : wire::retry_text(store_again_after));
}

}  // namespace

nats_worker::nats_worker(std::shared_ptr<session> shared, std::string stream, std::string durable, int window)
    : session_(std::move(shared)),
      stream_(std::move(stream)),
      durable_(std::move(durable)),
      key_(stream_ + "." + durable_),
      number_(session_->enroll(key_, *this)),
      window_(window, [this](int batch) { session_->pull(key_, number_, generation_, batch); }),
      arrived_(session_->link().loop().get_executor()) {
  if (session_->link().connected()) window_.start(session::steady::now());
}

nats_worker::~nats_worker() {
  session_->withdraw(key_, number_);
  for (auto const& [sequence, ticket] : held_) session_->link().send(ticket, {}, wire::retry_text({}));
}

asio::awaitable<delivery> nats_worker::next() {
  while (queue_.empty()) co_await arrived_.wait(arrived_.epoch());
  auto first = std::move(queue_.front());
  queue_.pop_front();
  co_return first;
}

void nats_worker::arrived(message m, wire::ack_subject const& ack) {
  auto now = session::steady::now();
  window_.arrived(now);
  delivery one{{std::string(m.subject()), std::string(m.body()), m.head(), ack.stream_sequence, ack.time},
               std::string(m.reply()),
               static_cast<int>(ack.delivered)};
  auto [held, fresh] = held_.insert_or_assign(ack.stream_sequence, one.ticket);
  if (!fresh) window_.taken(now);  // its ack wait expired: this delivery replaces the earlier one
  auto same = fresh ? queue_.end() : std::ranges::find(queue_, ack.stream_sequence, [](delivery const& d) { return d.message.sequence; });
  if (same == queue_.end())
    queue_.push_back(std::move(one));
  else
    *same = std::move(one);
  if (queue_.size() == 1) arrived_.notify();  // no reader waits while there are more
}

void nats_worker::status(wire::pull_status const& told, unsigned generation) {
  if (generation == generation_) window_.status(told, session::steady::now());
}

void nats_worker::connected() {
  ++generation_;
  window_.start(session::steady::now());
}

void nats_worker::disconnected() { window_.stop(); }

void nats_worker::second() {
  if (window_.is_silent(session::steady::now())) connected();
}

void nats_worker::forget(delivery const& one) {
  auto held = held_.find(one.message.sequence);
  if (held == held_.end() || held->second != one.ticket) return;  // it was delivered again meanwhile
  held_.erase(held);
  window_.taken(session::steady::now());
}

void nats_worker::settle(delivery const& one, std::string_view answer) {
  session_->link().send(one.ticket, {}, answer);
  forget(one);
}

void nats_worker::ack(delivery const& one) { settle(one, wire::ack_text()); }
void nats_worker::retry(delivery const& one, duration delay) { settle(one, wire::retry_text(delay)); }
void nats_worker::progress(delivery const& one) { session_->link().send(one.ticket, {}, wire::progress_text()); }

void nats_worker::reject(delivery const& one, std::string reason) {
  auto storing = store_then_settle(session_, one, {stream_, durable_, static_cast<std::uint64_t>(one.attempt), std::move(reason)});
  forget(one);
  session_->began();
  asio::co_spawn(session_->link().loop(), std::move(storing), [session = session_](std::exception_ptr failed) {
    session->ended();
    if (failed && !app::is_cancelled(failed)) std::rethrow_exception(failed);
  });
}

}  // namespace kopiur::bus
