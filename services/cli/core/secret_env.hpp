#pragma once
#include <expected>
#include <string>

#include "common/json/value.hpp"

namespace kopiur::cli {

/// A Secret as assignments for a shell, `key='value'`, one a line: `eval "$(kopiur get secret NAME --env)"`. In names, what a shell does
/// not take becomes `_`. The error is a sentence: a value that is not base64, or has a zero byte, which no variable can hold.
std::expected<std::string, std::string> secret_env(json::value const& secret);

}  // namespace kopiur::cli
