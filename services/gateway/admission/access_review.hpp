#pragma once
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "services/gateway/admission/admission.hpp"
#include "services/gateway/kubernetes/objects/api.hpp"

namespace kopiur::gateway::kubernetes {

/// Asks the API server whether the user of an AdmissionReview has the rights that the object borrows (borrowed_rights.hpp). The gateway's
/// own writes are always allowed.
class access_reviewer {
 public:
  /// Creates a SubjectAccessReview or a SelfSubjectReview, and returns it as answered; the error is a sentence.
  using review_creator = std::function<awaitable<std::expected<json::value, std::string>>(json::value review)>;

  /// For all questions about one object together: the API server waits for the webhook's answer.
  static constexpr duration patience{3'000};
  /// SubjectAccessReviews for one object. None is sent twice: `create pods` once for each namespace.
  static constexpr std::size_t most_questions = 64;

  access_reviewer(clock& time, review_creator create) : time_(time), create_(std::move(create)) {}

  /// The problems: each right that the user lacks, or for which the API server did not answer. Can be cancelled.
  awaitable<std::vector<finding>> lacking(json::value review);

 private:
  struct interview;
  awaitable<void> judge(interview& about);
  awaitable<bool> is_own(std::string_view user);

  clock& time_;
  review_creator create_;
  std::string own_name_;  ///< empty until the API server has returned it
};

/// Sends reviews to an API server. `api` must outlive the result.
access_reviewer::review_creator reviews_by(client& api);

}  // namespace kopiur::gateway::kubernetes
