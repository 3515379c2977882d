#include "services/gateway/shell/change_hub.hpp"

namespace kopiur::gateway {

class change_hub::queue final : public cluster_feed {
 public:
  queue(change_hub& hub, std::vector<cluster_change> first)
      : hub_(hub), waiting_(std::make_move_iterator(first.begin()), std::make_move_iterator(first.end())), more_(hub.loop_) {
    hub_.queues_.insert(this);
  }
  ~queue() override { hub_.queues_.erase(this); }

  void put(cluster_change change) {
    waiting_.push_back(std::move(change));
    more_.notify();
  }

  awaitable<cluster_change> next() override {
    while (waiting_.empty()) co_await more_.wait(more_.epoch());
    auto change = std::move(waiting_.front());
    waiting_.pop_front();
    co_return change;
  }

 private:
  change_hub& hub_;
  std::deque<cluster_change> waiting_;
  app::event more_;
};

void change_hub::tell(cluster_change const& change) {
  for (auto* each : queues_) each->put(change);
}

std::unique_ptr<cluster_feed> change_hub::follow(std::vector<cluster_change> first) {
  return std::make_unique<queue>(*this, std::move(first));
}

}  // namespace kopiur::gateway
