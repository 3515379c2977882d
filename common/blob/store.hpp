#pragma once
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>

#include "common/blob/error.hpp"
#include "common/blob/types.hpp"
#include "common/http/upload.hpp"

/// Object stores: buckets of objects that have keys. Technology only; S3 is the first kind, others follow behind the same interface.
namespace kopiur::blob {

template <class T>
using awaitable_result = boost::asio::awaitable<result<T>>;

struct put_options {
  bool only_new = false;                 ///< failure::conflict when the object exists. Read error::repeated: it may be the own one
  std::string sha256{};                  ///< of the content, 32 bytes; empty: unknown. The store checks it
  std::string content_type{};            ///< empty: the store's default
  std::optional<std::uint32_t> crc32{};  ///< of the content. The store checks it if sha256 is empty
  std::string encryption_key{};          ///< with which the store encrypts: in S3 the ARN or id of a KMS key; empty: the store's default
};
struct stored {
  std::string tag, version{};  ///< version: empty: the bucket keeps none
};

/// What is known of an object before its content.
struct object_head {
  std::uint64_t size = 0;  ///< of the whole object
  std::string tag{}, version{}, content_type{};
  std::optional<instant> modified{};
};
/// Bytes [offset, offset + length).
struct byte_range {
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length{};  ///< nothing: to the end
};
/// An object's content, in pieces. It occupies a connection until it is destroyed.
struct object_content {
  object_head head;
  std::uint64_t length = 0;  ///< of this content
  /// Fills the buffer, or its beginning at the end of the content; 0: no more. An end before `length` is an error. Can be cancelled.
  std::function<awaitable_result<std::size_t>(boost::asio::mutable_buffer)> read;
};

/// A content that can be read at any position, again and again: a file (file_content.hpp).
struct seekable_content {
  std::uint64_t length = 0;
  /// Fills the beginning of the buffer with the bytes at `offset`, and returns how many; 0: there are no more, which is an error before
  /// `length`. It may throw: the upload then ends with that exception.
  std::function<boost::asio::awaitable<std::size_t>(std::uint64_t offset, boost::asio::mutable_buffer)> read{};
};

/// These bytes of a content.
awaitable_result<std::string> read_bytes(seekable_content const& content, std::uint64_t offset, std::uint64_t length);

/// One store with its credentials. Every call may be cancelled. Failures that may pass are retried, within limits; then, as all other
/// failures, they are in the result. Only what an upload's source throws is thrown.
class store {
 public:
  virtual ~store() = default;

  virtual awaitable_result<void> head_bucket(std::string bucket) = 0;
  /// `location`: where the store should keep it; empty: its default. failure::owned and failure::taken say that it exists.
  virtual awaitable_result<void> create_bucket(std::string bucket, std::string location) = 0;
  virtual awaitable_result<void> delete_bucket(std::string bucket) = 0;

  /// A page of objects, by key.
  virtual awaitable_result<object_page> list(std::string bucket, listing what) = 0;
  /// A page of versions and delete markers. A store without versions answers with an empty, unsupported page.
  virtual awaitable_result<version_page> list_versions(std::string bucket, listing what) = 0;

  virtual awaitable_result<object_head> head(std::string bucket, object_name name) = 0;
  virtual awaitable_result<object_content> get(std::string bucket, object_name name, byte_range range) = 0;
  /// A body that cannot be rewound is sent once: a failure in the middle of it is not retried.
  virtual awaitable_result<stored> put(std::string bucket, std::string key, http::upload content, put_options options) = 0;
  /// Writes an object of any size: a small one by one request, others in parts, of which one at a time is in memory. The store checks each
  /// request by a checksum; put_options::sha256 and crc32 are not used. A failure or a cancellation aborts an upload in parts, within a
  /// minute. When an answer was lost, the stored object is compared: success if it has this content.
  virtual awaitable_result<stored> put_large(std::string bucket, std::string key, seekable_content content, put_options options) = 0;
  /// Removes objects or versions, any number. The result has those that remain; a missing object counts as removed. An error: nobody knows
  /// which of them are removed; repeat the call.
  virtual awaitable_result<std::vector<failed_removal>> remove(std::string bucket, std::vector<object_name> names) = 0;

  /// A page of uploads in parts that nobody has completed.
  virtual awaitable_result<upload_page> list_uploads(std::string bucket, listing what) = 0;
  /// A missing upload counts as aborted.
  virtual awaitable_result<void> abort_upload(std::string bucket, unfinished_upload which) = 0;

  virtual awaitable_result<versioning> get_versioning(std::string bucket) = 0;
  virtual awaitable_result<void> set_versioning(std::string bucket, bool enabled) = 0;
  /// No rules: an empty list.
  virtual awaitable_result<std::vector<lifecycle_rule>> get_lifecycle(std::string bucket) = 0;
  /// Replaces all rules; none: deletes them. Read them again: MinIO takes abort_uploads_days and forgets it.
  virtual awaitable_result<void> set_lifecycle(std::string bucket, std::vector<lifecycle_rule> rules) = 0;
};

}  // namespace kopiur::blob
