#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "common/app/semaphore.hpp"
#include "services/gateway/core/refusal.hpp"
#include "services/gateway/shell/cluster.hpp"

namespace kopiur::gateway::kubernetes {

/// Coalesces requests: callers that need the same thing (a namespace, an object) at about the same time share one request to the API.
/// Requests for one thing run one after the other.
template <class Thing, class T>
class shared_answers {
 public:
  using answer = outcome<std::shared_ptr<T const>>;
  struct settings {
    duration age{0};      ///< maximum age of a reusable answer; 0: only an answer requested after the caller arrived
    int rest_factor = 0;  ///< an answer also stays reusable for this multiple of its duration: spares a slow API
  };
  shared_answers(clock& time, asio::any_io_executor loop, settings settings, std::function<awaitable<outcome<T>>(Thing)> ask)
      : time_(time), loop_(std::move(loop)), settings_(settings), ask_(std::move(ask)) {}

  /// The answer, also a refusal.
  awaitable<answer> of(Thing thing) {
    auto since = time_.now();
    auto& there = slots_[thing];
    if (!there) there = std::make_shared<slot>(loop_);
    auto asked_for = there;
    auto turn = co_await asked_for->line.take();
    if (!is_good(*asked_for, since)) {
      asked_for->last.reset();
      asked_for->began = time_.now();
      auto told = co_await ask_(thing);
      asked_for->took = std::max(duration(0), time_.now() - asked_for->began);
      asked_for->last = told ? answer(std::make_shared<T const>(std::move(*told))) : answer(std::unexpected(told.error()));
    }
    auto got = *asked_for->last;
    bool is_wanted = settings_.age > duration(0) || asked_for.use_count() > 2;  // other callers wait for it
    if (!is_wanted) slots_.erase(thing);
    co_return got;
  }

 private:
  struct slot {
    explicit slot(asio::any_io_executor const& loop) : line(loop, 1) {}
    app::semaphore line;
    instant began{};
    duration took{0};
    std::optional<answer> last;
  };
  /// For a caller that arrived at `since`. After the clock was set back, an answer from the future is not reusable.
  bool is_good(slot const& slot, instant since) const {
    auto age = settings_.age + slot.took * settings_.rest_factor;
    return slot.last && slot.began <= time_.now() && (age > duration(0) ? slot.began + age > since : slot.began > since);
  }

  clock& time_;
  asio::any_io_executor loop_;
  settings settings_;
  std::function<awaitable<outcome<T>>(Thing)> ask_;
  std::map<Thing, std::shared_ptr<slot>> slots_;
};

}  // namespace kopiur::gateway::kubernetes
