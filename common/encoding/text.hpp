#pragma once
#include <span>
#include <string>
#include <string_view>

namespace kopiur::encoding {

/// `text` with every secret of at least four characters replaced by `***`, also where it spans lines. Longer secrets go first, so that no
/// part of one is left where a shorter one is its beginning.
std::string masked(std::string text, std::span<std::string const> secrets);
/// `text` without these characters at its ends; by default blanks and ends of lines.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n");
/// `text` with its ASCII letters in lower case.
std::string lower_case(std::string_view text);
/// The last `limit` bytes at most, starting at a character boundary of UTF-8.
std::string tail(std::string_view text, std::size_t limit);

}  // namespace kopiur::encoding
