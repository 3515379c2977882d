#pragma once
#include "common/blob/s3/core/parts.hpp"
#include "common/blob/s3/requests.hpp"

namespace kopiur::blob::s3 {

/// One object that is uploaded in parts, one after the other. Used once; what it is given outlives it.
class part_upload {
 public:
  struct target {
    std::string bucket, key;
  };
  part_upload(clock& time, requests& through, target where, seekable_content content, put_options options, std::uint64_t part_size)
      : time_(time),
        through_(through),
        where_(std::move(where)),
        content_(std::move(content)),
        options_(std::move(options)),
        part_size_(part_size) {}

  /// Uploads everything and completes it. After a failure and a cancellation the upload is aborted first. Throws what content.read throws.
  awaitable_result<stored> run();

 private:
  request of_object(std::string action, std::string method) const;
  awaitable_result<void> begin();
  awaitable_result<stored> send_all();
  awaitable_result<sent_part> send(int number, std::string bytes);
  awaitable_result<stored> complete();
  boost::asio::awaitable<void> abort();

  clock& time_;
  requests& through_;
  target where_;
  seekable_content content_;
  put_options options_;
  std::uint64_t part_size_;
  std::string id_;
  std::vector<sent_part> parts_;
  bool completing_ = false;  // the store was asked to complete it
};

/// After a write that failed: success if the store has the same content all the same, else that failure.
awaitable_result<stored> check_stored(requests& through, part_upload::target where, content_proof ours, error failed);

}  // namespace kopiur::blob::s3
