#pragma once
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "common/blob/core/refusal.hpp"
#include "common/blob/types.hpp"

/// The XML of S3. Readers take an untrusted document; their error is a clause: why it is not the expected one.
namespace kopiur::blob::s3 {

template <class T>
using read_as = std::expected<T, std::string>;

read_as<object_page> read_objects(std::string_view text);
/// page::next is a cursor: version, line feed, key.
read_as<version_page> read_versions(std::string_view text);
/// page::next is a cursor: upload, line feed, key.
read_as<upload_page> read_uploads(std::string_view text);
read_as<std::vector<failed_removal>> read_removals(std::string_view text);
read_as<versioning> read_versioning(std::string_view text);
read_as<std::vector<lifecycle_rule>> read_lifecycle(std::string_view text);

/// Whether XML 1.0 can express a key; otherwise the object is removed by a request of its own.
bool fits_xml(std::string_view key);
std::string removals_xml(std::vector<object_name> const& names);
std::string versioning_xml(bool enabled);
/// A rule with a text of its own that is not XML is refused: the error is a sentence.
std::expected<std::string, std::string> lifecycle_xml(std::vector<lifecycle_rule> const& rules);
std::string location_xml(std::string const& region);

/// The two parts of a cursor, of which the first has no line feed.
std::pair<std::string, std::string> split_cursor(std::string const& cursor);

}  // namespace kopiur::blob::s3
