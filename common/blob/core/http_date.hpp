#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/time/instant.hpp"

namespace kopiur::blob {

/// The time in an HTTP header, `Sun, 06 Nov 1994 08:49:37 GMT`; nothing when the text is not valid. Obsolete forms are not read.
std::optional<instant> http_date(std::string_view text);
/// The same form of a time, without its milliseconds.
std::string to_http_date(instant when);

}  // namespace kopiur::blob
