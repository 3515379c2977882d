#pragma once
#include <memory>

#include "common/app/async.hpp"

namespace kopiur::app {

/// So many at a time; who comes later waits, in order. One loop, no threads.
class semaphore {
  struct line;

 public:
  semaphore(asio::any_io_executor loop, std::size_t at_a_time);

  /// A permit; it ends with this object, which may outlive the `semaphore` that it is of: coroutines that are torn down go in any order.
  class permit {
   public:
    permit(permit&&) noexcept = default;
    permit& operator=(permit&&) = delete;
    ~permit();

   private:
    friend semaphore;
    explicit permit(std::shared_ptr<line> of);
    std::shared_ptr<line> of_;
  };

  /// Can be cancelled.
  awaitable<permit> take();
  /// Nobody has a permit, or waits for one.
  bool idle() const { return line_.use_count() == 1; }
  /// For what cannot stand in line: also where all are taken.
  permit take_at_once() { return permit(line_); }

 private:
  struct waiter;
  std::shared_ptr<line> line_;
};

}  // namespace kopiur::app
