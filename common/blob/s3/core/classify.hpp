#pragma once
#include <optional>
#include <span>
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

/// What the code of an error means, and what a user can do: a sentence without its point.
struct meaning {
  std::string_view code;
  failure kind;
  std::string_view advice = "";
};
/// Whose codes they are; `name`: in the middle of a sentence.
struct dialect {
  std::string_view name;
  std::span<meaning const> meanings;
};

/// `action`: what was tried, as the beginning of a sentence: `Listing the bucket x`.
error classify(refusal const& answer, std::string const& action, dialect const& spoken);
/// The same of an S3 store.
error classify(refusal const& answer, std::string const& action);
/// The region that the answer names instead of the one that was used; nothing when it is no such answer.
std::optional<std::string> other_region(refusal const& answer, std::string const& used);

}  // namespace kopiur::blob::s3
