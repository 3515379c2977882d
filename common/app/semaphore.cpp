#include "common/app/semaphore.hpp"

#include <boost/asio.hpp>
#include <optional>

namespace kopiur::app {

struct semaphore::line {
  asio::any_io_executor loop;
  std::size_t at_a_time, taken = 0;
  std::list<waiter*> waiting{};
};

/// A released permit goes directly to the first waiter, so no later caller can overtake it.
struct semaphore::waiter {
  explicit waiter(std::shared_ptr<line> in)
      : queue(std::move(in)), position(queue->waiting.insert(queue->waiting.end(), this)), called(queue->loop) {}
  waiter(waiter const&) = delete;
  ~waiter() {
    if (!given) queue->waiting.erase(position);
  }

  std::shared_ptr<line> queue;
  std::list<waiter*>::iterator position;
  signal called;
  std::optional<permit> given;
};

semaphore::semaphore(asio::any_io_executor loop, std::size_t at_a_time) : line_(std::make_shared<line>(std::move(loop), at_a_time)) {}

semaphore::permit::permit(std::shared_ptr<line> line) : line_(std::move(line)) { ++line_->taken; }

semaphore::permit::~permit() {
  if (!line_) return;
  auto& in = *line_;
  --in.taken;
  while (in.taken < in.at_a_time && !in.waiting.empty()) {
    auto* next = in.waiting.front();
    in.waiting.pop_front();
    next->given.emplace(permit(line_));
    next->called.notify_all();
  }
}

awaitable<semaphore::permit> semaphore::take() {
  if (line_->taken < line_->at_a_time && line_->waiting.empty()) co_return permit(line_);
  waiter me(line_);
  co_await me.called.wait();
  if (!me.given) throw boost::system::system_error(asio::error::operation_aborted);
  co_return std::move(*me.given);
}

}  // namespace kopiur::app
