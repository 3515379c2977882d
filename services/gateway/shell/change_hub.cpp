#include "services/gateway/shell/change_hub.hpp"

#include <boost/asio.hpp>

namespace kopiur::gateway {

namespace {
/// Between two of this many changes other coroutines run.
constexpr int changes_at_a_time = 32;
}  // namespace

class change_hub::queue final : public cluster_feed {
 public:
  queue(change_hub& hub, cluster_walk all) : hub_(hub), walk_(std::move(all)), listed_(walk_->listed), more_(hub.loop_) {
    hub_.queues_.insert(this);
  }
  ~queue() override { hub_.queues_.erase(this); }

  void put(cluster_change change) {
    if (std::holds_alternative<listed>(change))
      listed_ = true;
    else
      waiting_.push_back(std::move(change));
    more_.notify();
  }

  awaitable<cluster_change> next() override {
    auto change = take();
    for (; !change; change = take()) co_await more_.wait(more_.epoch());
    if (++taken_ % changes_at_a_time == 0) co_await asio::post(hub_.loop_, asio::use_awaitable);
    co_return *std::move(change);
  }

 private:
  /// What is to be told next; nothing: it waits.
  std::optional<cluster_change> take() {
    while (waiting_.empty() && walk_) walk_on();
    if (!waiting_.empty()) {
      auto change = std::move(waiting_.front());
      waiting_.pop_front();
      return change;
    }
    return std::exchange(listed_, false) ? std::optional<cluster_change>(listed{}) : std::nullopt;
  }
  void walk_on() {
    bool over = walked_ == walk_->keys.size();
    auto more = over ? walk_->rest() : walk_->now(walk_->keys[walked_++]);
    std::ranges::move(more, std::back_inserter(waiting_));
    if (over) walk_.reset();
  }

  change_hub& hub_;
  std::deque<cluster_change> waiting_;
  std::optional<cluster_walk> walk_;
  std::size_t walked_ = 0;  // keys
  bool listed_;
  int taken_ = 0;
  app::event more_;
};

void change_hub::tell(cluster_change const& change) {
  for (auto* each : queues_) each->put(change);
}

std::unique_ptr<cluster_feed> change_hub::follow(cluster_walk all) { return std::make_unique<queue>(*this, std::move(all)); }

}  // namespace kopiur::gateway
