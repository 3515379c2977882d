#pragma once
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "services/gateway/adapters/admission.hpp"
#include "services/gateway/adapters/kubernetes/client.hpp"

namespace kopiur::gateway::kubernetes {

/// Has the API server say whether the user of an AdmissionReview has the rights that the object borrows (borrowed_rights.hpp). What this
/// process writes itself is never judged.
class access_reviewer {
 public:
  /// Creates a SubjectAccessReview or a SelfSubjectReview, and returns it as answered; the error is a sentence.
  using review_creator = std::function<awaitable<std::expected<json::value, std::string>>(json::value review)>;

  /// For all questions about one object together: the API server waits for our answer.
  static constexpr duration patience{3'000};
  /// SubjectAccessReviews for one object. None is asked twice: `create pods` once for each namespace.
  static constexpr std::size_t most_questions = 64;

  access_reviewer(clock& time, review_creator create) : time_(time), create_(std::move(create)) {}

  /// What is wrong: each right that the user lacks, or that the API server did not answer for. Can be cancelled.
  awaitable<std::vector<finding>> lacking(json::value review);

 private:
  struct interview;
  awaitable<void> judge(interview& about);
  awaitable<bool> is_own(std::string_view user);

  clock& time_;
  review_creator create_;
  std::string own_name_;  ///< empty until the API server has told it
};

/// Asks an API server, which has to outlive it.
access_reviewer::review_creator reviews_by(client& api);

}  // namespace kopiur::gateway::kubernetes
