#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "common/time/instant.hpp"

/// Numbers in readable form, and texts that a terminal may be shown.
namespace kopiur::cli {

/// `12 s`, `3 min`, `5 h`, `2 d`, `7 weeks`, `3 years`: one unit, rounded down; below a second `0 s`.
std::string length_text(duration length);
/// `3 min ago`, `in 2 h`, `now` within a second.
std::string when_text(instant time, instant now);
/// Binary units: `0 B`, `812 B`, `1.5 KiB`, `20 MiB`; three figures at most.
std::string size_text(std::int64_t bytes);
/// A bar of `width` cells for 0 to 100: `[####----]`.
std::string bar_text(double percent, int width);
/// The text with `?` in place of each control character (C0, DEL, and C1 in UTF-8) that is not among `kept`, so that no name can control a
/// terminal.
std::string harmless(std::string_view text, std::string_view kept = {});

}  // namespace kopiur::cli
