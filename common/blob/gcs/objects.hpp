#pragma once
#include "common/blob/gcs/resumable_upload.hpp"

namespace kopiur::blob::gcs {

/// Writes objects to Google Cloud Storage, and reads them. The version of an object is its generation.
class objects {
 public:
  objects(clock& time, transport transport, options options) : requests_(time, std::move(transport), std::move(options)) {}

  /// As store::head().
  awaitable_result<object_head> head(std::string bucket, object_name name);
  /// As store::get(), the whole object. The end of the content is an error when its MD5 is not what the store says.
  awaitable_result<object_content> get(std::string bucket, object_name name);
  /// As store::put_large(). The content is read twice, first for its MD5. put_options::encryption_key is the name of a key of Cloud KMS.
  awaitable_result<stored> put_large(std::string bucket, std::string key, seekable_content content, put_options options);

 private:
  awaitable_result<stored> put_small(upload const& what);

  requests requests_;
};

}  // namespace kopiur::blob::gcs
