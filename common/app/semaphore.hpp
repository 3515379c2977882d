#pragma once
#include <memory>

#include "common/app/async.hpp"

namespace kopiur::app {

/// FIFO counting semaphore for coroutines. One loop, no threads.
class semaphore {
  struct line;

 public:
  semaphore(asio::any_io_executor loop, std::size_t at_a_time);

  /// A permit, released by its destructor. It may outlive its `semaphore`: coroutines are destroyed in any order.
  class permit {
   public:
    permit(permit&&) noexcept = default;
    permit& operator=(permit&&) = delete;
    ~permit();

   private:
    friend semaphore;
    explicit permit(std::shared_ptr<line> line);
    std::shared_ptr<line> line_;
  };

  /// Waits for a permit, in FIFO order. Can be cancelled.
  awaitable<permit> take();
  /// True when no permit is in use and no caller waits.
  bool idle() const { return line_.use_count() == 1; }
  /// For callers that cannot wait: it returns a permit even when all are in use.
  permit take_at_once() { return permit(line_); }

 private:
  struct waiter;
  std::shared_ptr<line> line_;
};

}  // namespace kopiur::app
