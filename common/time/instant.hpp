#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace kopiur {

/// A point on the wall clock, UTC, in milliseconds.
using instant = std::chrono::sys_time<std::chrono::milliseconds>;
/// A length of time in milliseconds.
using duration = std::chrono::milliseconds;

/// RFC 3339 in UTC: `2026-11-21T06:00:00Z`, with `.123` only where there are milliseconds.
std::string to_text(instant);
/// Go's form: `1h30m`, `90s` is `1m30s`, `0s`, `250ms`.
std::string to_text(duration);
/// RFC 3339 with any offset and any number of fraction digits (cut to milliseconds); nothing when the text is not valid.
std::optional<instant> instant_from(std::string_view);
/// Go's form (`h`, `m`, `s`, `ms`; whole or decimal), plus `d` for 24 hours; nothing when the text is not valid or negative.
std::optional<duration> duration_from(std::string_view);

}  // namespace kopiur
