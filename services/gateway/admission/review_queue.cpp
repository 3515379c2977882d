#include "services/gateway/admission/review_queue.hpp"

namespace kopiur::gateway::kubernetes {

review_queue::review_queue(clock& time, asio::any_io_executor loop, examiner examine)
    : examine_(std::move(examine)), queue_(time, loop, reviews_at_a_time, [](review_key const& key) { return key.namespace_; }) {}

awaitable<void> review_queue::run() {
  co_await queue_.run([this](review_key key) { return work_on(std::move(key)); });
}

awaitable<std::optional<json::value>> review_queue::answer(json::value review) {
  review_key key{std::string(review.text("request.namespace")), ++last_};
  auto mine = std::make_shared<pending>(std::move(review));
  pending_[key] = mine;
  co_await queue_.done({key});
  if (mine->failed) std::rethrow_exception(mine->failed);
  co_return std::move(mine->answer);
}

awaitable<void> review_queue::work_on(review_key key) {
  auto one = pending_.extract(key).mapped();
  if (one.use_count() == 1) co_return;  // its caller has left
  try {
    one->answer = co_await examine_(one->review);
  } catch (...) {
    one->failed = std::current_exception();
    if (app::is_cancelled(one->failed)) throw;
  }
}

}  // namespace kopiur::gateway::kubernetes
