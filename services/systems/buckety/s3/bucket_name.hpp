#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace kopiur::buckety::s3 {

/// Why it is not a bucket name that S3 services take; nothing when it is one.
std::optional<std::string> refuse_bucket_name(std::string_view name);

}  // namespace kopiur::buckety::s3
