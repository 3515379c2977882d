#pragma once
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/app/work_queue.hpp"
#include "common/bus/port.hpp"

namespace kopiur::controller {

/// The keys that a message concerns; empty: nothing has to be done. The error is the reason why the message cannot be read.
template <class Key>
using concerned_keys = std::expected<std::vector<Key>, std::string>;

/// Follows a durable consumer that replicas share: each message is acknowledged when the work on every key that it concerns has been done,
/// by work that began after `concerned` returned; an unreadable one becomes a dead letter. Ends by cancellation, or with the first error.
template <class Key>
class triggers {
 public:
  /// Suspends until the caller's views have seen the message.
  using concern = std::function<app::awaitable<concerned_keys<Key>>(bus::stored const&)>;

  /// At most `window` messages wait for their work at the same time.
  triggers(bus::port& bus, app::asio::any_io_executor loop, app::work_queue<Key>& queue, std::string_view stream,
           std::string const& durable, int window)
      : queue_(queue), worker_(bus.work(std::string(stream), durable, window)), settling_(std::move(loop)) {}

  app::awaitable<void> follow(concern concerned) {
    settling_.spawn(receive(std::move(concerned)));
    co_await settling_.join();
  }

 private:
  app::awaitable<void> receive(concern concerned) {
    for (;;) {
      auto trigger = co_await worker_->next();
      auto keys = co_await concerned(trigger.message);
      if (!keys)
        worker_->reject(trigger, keys.error());
      else if (keys->empty())
        worker_->ack(trigger);
      else
        settling_.spawn(settle(std::move(trigger), *std::move(keys)));
    }
  }

  app::awaitable<void> settle(bus::delivery trigger, std::vector<Key> keys) {
    co_await queue_.done(std::move(keys));
    worker_->ack(trigger);
  }

  app::work_queue<Key>& queue_;
  std::unique_ptr<bus::worker> worker_;
  app::nursery settling_;
};

}  // namespace kopiur::controller
