#pragma once
#include <optional>
#include <span>
#include <string>

#include "common/blob/error.hpp"
#include "common/time/instant.hpp"

/// What a failed answer of a store, or of a service that gives credentials, means.
namespace kopiur::blob {

/// The document that describes an error; all members may be empty.
struct error_document {
  std::string code, message, request, region, server_time;
};
/// Of `<Error>`, as S3 and Azure write it; nothing is set when the document is another one.
error_document read_error_document(std::string_view text);

/// A failed answer. The document is empty after a HEAD request, which has no body.
struct refusal {
  int status = 0;
  error_document document{};
  std::string region{};             ///< of the header x-amz-bucket-region
  std::string request{};            ///< the id of the request, of a header
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

/// `action`: what was tried, as the beginning of a sentence: `Listing the bucket x`. A code without a meaning counts by its status.
error classify(refusal const& answer, std::string const& action, dialect const& spoken);

}  // namespace kopiur::blob
