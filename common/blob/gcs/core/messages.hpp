#pragma once
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "common/blob/core/refusal.hpp"
#include "common/blob/core/uri.hpp"

/// What is written to Google Cloud Storage by its JSON API, and read from it.
namespace kopiur::blob::gcs {

/// Paths, encoded.
std::string object_path(std::string const& bucket, std::string const& key);
std::string upload_path(std::string const& bucket);

/// What the store says of an object.
struct resource {
  std::uint64_t size = 0;
  std::string generation{}, tag{}, content_type{};
  std::string md5{};  ///< base64; empty: the object was composed of others
  std::optional<instant> modified{};
};
/// The error is a clause.
std::expected<resource, std::string> read_resource(std::string_view text);

/// The MD5 of an object's content, as bytes, of the headers x-goog-hash; empty: there is none.
std::string md5_in(parameters const& fields);

/// What a new object should be: with `md5` the store refuses another content. JSON.
std::string metadata_json(std::string const& md5, std::string const& content_type);
/// The body of an upload by one request (multipart/related). `boundary` does not occur in the content.
std::string multipart_body(std::string const& boundary, std::string const& metadata, std::string const& content_type,
                           std::string_view content);

/// `bytes 0-9/20`; without bytes `bytes */20`, which asks what the store has.
std::string content_range(std::uint64_t offset, std::uint64_t length, std::uint64_t whole);
/// How many bytes an upload session has: of the header Range of an answer 308, `bytes=0-9`; empty: none. Nothing: it says something else.
std::optional<std::uint64_t> received_bytes(std::string_view range);
/// The path and the query of a session, of the header Location; empty: it names none.
std::string session_target(std::string_view location);

/// What a request is about; it decides the advice.
enum class subject { object, bucket, session };
/// Why the store refused, of the answer's body. `action` begins the sentence.
error store_error(int status, std::string_view body, std::string const& action, subject asked);

}  // namespace kopiur::blob::gcs
