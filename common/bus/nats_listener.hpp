#pragma once
#include <deque>
#include <memory>
#include <optional>

#include "common/app/async.hpp"
#include "common/bus/session.hpp"

namespace kopiur::bus {

/// Listens over core NATS; keeps the newest 4096 messages for a slow reader.
class nats_listener final : public listener {
 public:
  nats_listener(std::shared_ptr<session> session, std::string const& subject);
  ~nats_listener() override;
  asio::awaitable<stored> next() override;

 private:
  std::shared_ptr<session> session_;
  std::optional<connection::listening> where_;  // empty when nats.c refused the subject, which a notice reported
  std::deque<stored> queue_;
  app::event arrived_;
};

}  // namespace kopiur::bus
