#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kopiur::blob {

/// Names and values, not encoded.
using parameters = std::vector<std::pair<std::string, std::string>>;

/// Each byte that is not unreserved (RFC 3986, 2.3) becomes `%` and two upper-case digits.
std::string encoded(std::string_view text);
/// The same, but `/` stays.
std::string encoded_path(std::string_view path);
/// `a=b&c=`: encoded, sorted by name and then by value, as a signature needs it.
std::string encoded_query(parameters const& query);
/// A name in a listing with `encoding-type=url`: `+` is a space. An invalid escape stays as it is.
std::string decoded(std::string_view text);

}  // namespace kopiur::blob
