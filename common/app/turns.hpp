#pragma once
#include <memory>

#include "common/app/async.hpp"

namespace kopiur::app {

/// So many at a time; who comes later waits, in order. One loop, no threads.
class turns {
  struct line;

 public:
  turns(asio::any_io_executor loop, std::size_t at_a_time);

  /// A turn; it ends with this object, which may outlive the `turns` that it is of: coroutines that are torn down go in any order.
  class turn {
   public:
    turn(turn&&) noexcept = default;
    turn& operator=(turn&&) = delete;
    ~turn();

   private:
    friend turns;
    explicit turn(std::shared_ptr<line> of);
    std::shared_ptr<line> of_;
  };

  /// Can be cancelled.
  awaitable<turn> take();
  /// Nobody has a turn, or waits for one.
  bool idle() const { return line_.use_count() == 1; }
  /// For what cannot stand in line: also where all are taken.
  turn take_at_once() { return turn(line_); }

 private:
  struct waiter;
  std::shared_ptr<line> line_;
};

}  // namespace kopiur::app
