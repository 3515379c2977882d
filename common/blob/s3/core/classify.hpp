#pragma once
#include <optional>
#include <string>

#include "common/blob/error.hpp"
#include "common/blob/s3/core/xml.hpp"

/// What a failed answer means.
namespace kopiur::blob::s3 {

/// A failed answer. The document is empty after a HEAD request, which has no body.
struct refusal {
  int status = 0;
  error_document document{};
  std::string region{};             ///< of the header x-amz-bucket-region
  std::string request{};            ///< of the header x-amz-request-id
  instant ours{};                   ///< when the answer came
  std::optional<instant> theirs{};  ///< of the header Date
};

/// `action`: what was tried, as the beginning of a sentence: `Listing the bucket x`.
error classify(refusal const& answer, std::string const& action);
/// The region that the answer names instead of the one that was used; nothing when it is no such answer.
std::optional<std::string> other_region(refusal const& answer, std::string const& used);

}  // namespace kopiur::blob::s3
