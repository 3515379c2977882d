#pragma once
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "common/app/async.hpp"
#include "common/bus/pull_window.hpp"
#include "common/bus/session.hpp"

namespace kopiur::bus {

/// A feed over NATS: an ephemeral consumer without acks. The first next() creates it. It is created again after a gap in the sequence,
/// silence of the server, or a lost connection. All its requests run inside next(), so it owns no coroutine.
class nats_feed final : public feed, puller {
 public:
  nats_feed(std::shared_ptr<session> session, std::string stream, std::vector<std::string> filters);
  ~nats_feed() override;
  asio::awaitable<feed_item> next() override;

 private:
  /// The lifetime of one consumer, from creation to loss.
  struct life {
    std::string key;             // <stream>.<consumer>
    std::uint64_t number = 0;    // assigned by the session
    std::uint64_t target = 0;    // the last sequence under the filters before creation
    std::uint64_t initial = 0;   // messages pending at creation, by the server's count
    std::uint64_t received = 0;  // also the consumer's sequence so far
    std::uint64_t sequence = 0;  // the last stream sequence so far
    bool caught_up = false;
  };
  asio::awaitable<void> begin();
  asio::awaitable<result<void>> make_consumer();
  asio::awaitable<result<std::uint64_t>> furthest();
  void end();
  void lose(std::string const& why);
  void catch_up();
  void arrived(message, wire::ack_subject const&) override;
  void status(wire::pull_status const&, unsigned generation) override;
  void connected() override;
  void disconnected() override;
  void nobody_there() override { window_.nobody_there(session::steady::now()); }
  void second() override;
  int asked() const override { return window_.asked(); }

  std::shared_ptr<session> session_;
  std::string stream_;
  std::vector<std::string> filters_;
  pull_window window_;
  unsigned generation_ = 0;
  life now_;
  bool alive_ = false;  // now_ has a consumer that delivers all it should
  bool begun_ = false;  // a consumer existed before: the next one is a restart
  int failed_ = 0;      // failed creations in a row
  std::deque<feed_item> queue_;
  app::event changed_;
};

}  // namespace kopiur::bus
