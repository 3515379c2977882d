#pragma once
#include <expected>
#include <string>
#include <string_view>

#include "common/blob/s3/core/signature.hpp"

namespace kopiur::blob::s3 {

/// The keys of a profile in an AWS credentials file: sections `[default]`, lines `name = value`, comments with # or ;. Line ends of any
/// kind, blanks and a byte order mark do no harm. The error is a sentence that names no value.
std::expected<credentials, std::string> read_credentials_file(std::string_view text, std::string_view profile = "default");

}  // namespace kopiur::blob::s3
