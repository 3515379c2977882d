#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <expected>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/app/async.hpp"
#include "common/bus/connect.hpp"
#include "common/bus/gate.hpp"
#include "common/bus/message.hpp"
#include "common/bus/nats_options.hpp"
#include "common/bus/pending.hpp"
#include "common/bus/socket_pump.hpp"

typedef struct __natsSubscription natsSubscription;

namespace kopiur::bus {

/// Callbacks to the owner of a connection, always called on the loop.
struct connection_events {
  std::function<void(message)> delivered;         ///< stream messages, and the statuses of pulls
  std::function<void()> connected, disconnected;  ///< called each time; the server forgets all pulls
  std::function<void()> nobody_there;             ///< a request met no responder; nats.c does not report which one
  std::function<void()> second;                   ///< once a second
};

/// One connection, one inbox, one thread: every member is called on the loop. A broken connection is replaced by another natsConnection,
/// until close() or until the server refuses the login twice in a row. The README of this directory explains the rules.
class connection final : public gate_events, public std::enable_shared_from_this<connection> {
 public:
  using steady = std::chrono::steady_clock;
  using reply = pending_requests::reply;

  connection(asio::io_context& loop, nats_options options, connection_events told);
  connection(connection const&) = delete;
  /// Blocks for half a second, or up to 2 s while it reconnects, unless close() was awaited before.
  ~connection() override;

  /// Connects; waits for a server that is not up yet, as long as the options say. A refused login fails at once.
  asio::awaitable<result<void>> open();
  /// Sends one message and returns its answer: a PubAck when a stream owns the subject, an API reply, or a service's reply. One try.
  /// `subject` must outlive the call.
  asio::awaitable<reply> request(std::string const& subject, std::string_view body, headers const& head = {});
  /// Publishes without waiting. With a `token`, which begins with "pull.", answers arrive through `delivered`. Without one, the message is
  /// buffered while there is no connection, up to 8 MiB in all; false: the message is lost.
  bool send(std::string const& subject, std::string_view token, std::string_view body, headers const& head = {});

  /// Messages on a subject other than the inbox, until unlisten().
  struct listener {
    std::string subject;
    std::function<void(message)> heard;
    natsSubscription* subscription = nullptr;  ///< null while there is no connection
  };
  using listening = std::list<listener>::iterator;
  std::expected<listening, error> listen(std::string const& subject, std::function<void(message)> heard);
  void unlisten(listening);

  /// Waits for a connection until `deadline`; false when there is none by then, or there never will be one.
  asio::awaitable<bool> until_connected(steady::time_point deadline);
  bool connected() const { return state_ == state::connected; }
  bool closed() const { return state_ == state::closed; }
  /// Why it closed; empty when this process closed it.
  std::string const& reason() const { return reason_; }
  /// Returns once closed for good, by close() or by the server's refusal.
  asio::awaitable<void> until_closed();
  /// Waits until the server has read everything that was sent, then closes.
  asio::awaitable<void> close();

  /// The owner no longer exists: calls no callback from now on.
  void mute();

  std::string url() const;
  /// Size in bytes of the largest message (headers and body) that the server accepts, as it announced on connect; 0 without a connection.
  std::size_t max_payload() const;
  nats_options const& options() const { return options_; }
  asio::io_context& loop() { return loop_; }

 private:
  enum class state { fresh, connected, broken, returning, closed };
  struct unsent {
    std::string subject, body;
    headers head;
  };
  asio::awaitable<std::string> connect_once(bool& refused);
  std::string subscribe();
  std::string subscribe(std::string const& subject, natsSubscription*& made);
  asio::awaitable<void> come_back();
  std::string place() const;
  void resume();
  void release();
  bool keep(std::string const& subject, std::string_view body, headers const& head);
  void start(pending_requests::handler done, std::string const& subject, std::string_view body, headers const& head);
  std::string hand_over(std::string const& subject, std::string_view token, std::string_view body, headers const& head);
  bool has_ended() const;
  failure why_unsent(std::string_view body, headers const& head) const;
  bool is_full() const { return pending_.bytes() > options_.bytes_in_flight; }
  void drain();
  void dispatch(message);
  void ended_one(bool was_full);
  void later(pending_requests::ticket, error why);
  void lost() override;
  void said(std::string const& error) override;
  void ended(std::string const& why) override;
  void finish(std::string why);
  void tick();
  void nobody_there();

  asio::io_context& loop_;
  nats_options options_;
  connection_events told_;
  std::string inbox_;     // ends with a dot, unique to this connection
  std::string reply_to_;  // buffer for the inbox and a token
  std::shared_ptr<socket_pump> pump_;
  std::shared_ptr<gate> gate_;
  std::optional<connecting> attempt_;
  std::vector<std::string> discovered_;  // servers of the cluster that the last connection knew
  natsConnection* nats_ = nullptr;
  natsSubscription* arrived_ = nullptr;  // of the inbox
  std::list<listener> listening_;
  std::deque<unsent> kept_;
  std::size_t kept_bytes_ = 0;
  state state_ = state::fresh;
  std::string reason_;
  bool ours_ = false;  // this process closed it
  pending_requests pending_;
  app::event changed_, room_;
  asio::steady_timer timer_;
  steady::time_point now_{};  // time of the last tick or read: exact enough for deadlines
  steady::time_point next_beat_{}, next_second_{};
};

}  // namespace kopiur::bus
