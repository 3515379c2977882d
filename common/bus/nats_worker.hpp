#pragma once
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>

#include "common/app/async.hpp"
#include "common/bus/pull_window.hpp"
#include "common/bus/session.hpp"

namespace kopiur::bus {

/// Pulls from a durable consumer over NATS. The destructor returns unsettled deliveries to the server at once.
class nats_worker final : public worker, puller {
 public:
  nats_worker(std::shared_ptr<session> session, std::string stream, std::string durable, int window);
  ~nats_worker() override;

  asio::awaitable<delivery> next() override;
  void ack(delivery const&) override;
  void retry(delivery const&, duration delay) override;
  void reject(delivery const&, std::string reason) override;
  void progress(delivery const&) override;

 private:
  void arrived(message, wire::ack_subject const&) override;
  void status(wire::pull_status const&, unsigned generation) override;
  void connected() override;
  void disconnected() override;
  void nobody_there() override { window_.nobody_there(session::steady::now()); }
  void second() override;
  int asked() const override { return window_.asked(); }
  void settle(delivery const&, std::string_view answer);
  void forget(delivery const&);

  std::shared_ptr<session> session_;
  std::string stream_, durable_, key_;
  std::uint64_t number_;
  unsigned generation_ = 0;
  pull_window window_;
  std::deque<delivery> queue_;
  std::unordered_map<std::uint64_t, std::string> held_;  // stream sequence -> the newest ticket, until it is settled
  app::event arrived_;
};

}  // namespace kopiur::bus
