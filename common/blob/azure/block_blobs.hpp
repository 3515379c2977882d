#pragma once
#include "common/blob/azure/requests.hpp"

namespace kopiur::blob::azure {

/// Writes objects (block blobs) to Azure Blob Storage, and reads them.
class block_blobs {
 public:
  block_blobs(clock& time, transport transport, options options)
      : block_size_(options.block_size), requests_(time, std::move(transport), std::move(options)) {}

  /// As store::put_large(). put_options::encryption_key is the name of an encryption scope. Blocks of an upload that failed are removed by
  /// the store after a week; there is no call that does it.
  awaitable_result<stored> put_large(std::string container, std::string name, seekable_content content, put_options options);
  /// As store::get(), the whole object.
  awaitable_result<object_content> get(std::string container, std::string name);

 private:
  struct upload;
  awaitable_result<stored> put_small(upload const& what);
  awaitable_result<stored> put_blocks(upload const& what);
  awaitable_result<stored> finish(upload const& what, request last, std::string digest);
  awaitable_result<stored> check_stored(upload const& what, std::string digest, error failed);

  std::uint64_t block_size_;
  requests requests_;
};

}  // namespace kopiur::blob::azure
