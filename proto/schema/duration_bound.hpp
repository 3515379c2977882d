#pragma once
#include <cstdint>
#include <string>
#include <string_view>

/// The upper bound of a duration's text, in its two forms. CEL knows no days, so both forms accept days only in front and whole: `1d12h`.
/// Both count whole seconds.
namespace kopiur::proto::schema {

/// Whether the text is a duration of at most so many hours.
bool is_within(std::string_view text, std::int64_t hours);
/// The same about `self`.
std::string cel_of_bound(std::int64_t hours);
/// What is wrong, and how to correct it.
std::string message_of_bound(std::int64_t hours);
inline constexpr std::string_view hint_of_bound = "Give a shorter time, as in 90s, 1h30m or 1d12h.";

}  // namespace kopiur::proto::schema
