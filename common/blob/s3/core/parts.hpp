#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "common/blob/s3/core/xml.hpp"

/// Uploads in parts, without I/O. A part's checksum is repeated when the upload is completed: AWS answers InvalidPart when it is missing.
namespace kopiur::blob::s3 {

/// A part that the store has.
struct sent_part {
  std::string tag;     ///< as the store names it, with its quotes
  std::string sha256;  ///< 32 bytes
};

/// The id of the upload that was begun.
read_as<std::string> read_upload_id(std::string_view text);
std::string completion_xml(std::vector<sent_part> const& parts);
/// The tag of the object that was completed.
read_as<std::string> read_completion(std::string_view text);

/// What is known of a content, to recognise it in the store.
struct content_proof {
  std::uint64_t size = 0;
  std::string checksum;  ///< as in x-amz-checksum-sha256: base64, without the number of parts
  std::string tag;       ///< as stores make it of MD5, without quotes; empty: unknown
};
/// Of a content that is one object by one request.
content_proof proof_of(std::string_view content);
/// Of an upload in parts.
content_proof proof_of(std::uint64_t size, std::vector<sent_part> const& parts);

enum class sameness { same, different, unknown };
/// Compares with what the store says of an object: its size, its checksum and its tag, which may be empty. A tag that differs proves
/// nothing: with KMS, and in some stores, it is not made of MD5.
sameness compare(content_proof const& ours, content_proof const& stored);

}  // namespace kopiur::blob::s3
