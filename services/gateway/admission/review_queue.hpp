#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "common/app/work_queue.hpp"
#include "services/gateway/kubernetes/objects/api.hpp"

namespace kopiur::gateway::kubernetes {

/// Reviews in turns: a review may wait seconds for the API server, so namespaces share the workers (common/app/fair_queue.hpp), and a crowd
/// in one of them does not delay the others' reviews.
class review_queue {
 public:
  /// Answers an AdmissionReview; nothing: it is not one.
  using examiner = std::function<awaitable<std::optional<json::value>>(json::value const& review)>;
  /// Reviews that are examined at the same time; half of them of one namespace.
  static constexpr std::size_t reviews_at_a_time = 64;

  review_queue(clock& time, asio::any_io_executor loop, examiner examine);

  /// Ends by cancellation only.
  awaitable<void> run();
  /// Waits for its turn and for the examiner's answer; throws what the examiner throws. When it is cancelled before its turn, the review is
  /// not examined.
  awaitable<std::optional<json::value>> answer(json::value review);

 private:
  struct review_key {
    std::string namespace_;
    std::uint64_t number = 0;
    auto operator<=>(review_key const&) const = default;
  };
  struct pending {
    json::value review;
    std::optional<json::value> answer{};
    std::exception_ptr failed{};
  };
  awaitable<void> work_on(review_key key);

  examiner examine_;
  std::map<review_key, std::shared_ptr<pending>> pending_;
  std::uint64_t last_ = 0;
  app::work_queue<review_key> queue_;
};

}  // namespace kopiur::gateway::kubernetes
