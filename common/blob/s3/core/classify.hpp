#pragma once
#include <optional>
#include <string>

#include "common/blob/core/refusal.hpp"

/// What a failed answer of S3 means.
namespace kopiur::blob::s3 {

/// `action`: what was tried, as the beginning of a sentence: `Listing the bucket x`.
error classify(refusal const& answer, std::string const& action);
/// The region that the answer names instead of the one that was used; nothing when it is no such answer.
std::optional<std::string> other_region(refusal const& answer, std::string const& used);

}  // namespace kopiur::blob::s3
