#pragma once
#include "common/blob/gcs/requests.hpp"

namespace kopiur::blob::gcs {

/// What is uploaded, and where.
struct upload {
  std::string bucket, key;
  seekable_content content;
  put_options options;
  std::string md5;  ///< of the content, base64

  /// A request that creates the object. With only_new the store makes it only when it has none, also at the end of a session.
  request begin(std::string type) const;
};

/// One object that is uploaded in chunks to a session of the store, one after the other. Used once; what it is given outlives it.
class resumable_upload {
 public:
  resumable_upload(requests& through, upload const& what) : through_(through), what_(what) {}

  /// Uploads everything. After a failure and a cancellation the session is cancelled first. Throws what content.read throws.
  awaitable_result<stored> run();

 private:
  /// Nothing: the store wants more, from offset_ on.
  using step = std::optional<stored>;
  awaitable_result<void> begin();
  awaitable_result<stored> send_all();
  awaitable_result<step> send_chunk();
  awaitable_result<step> look();
  awaitable_result<step> send(request what);
  request to_session(std::string action, std::string method) const;
  boost::asio::awaitable<void> abort();

  requests& through_;
  upload const& what_;
  std::string session_;
  std::uint64_t offset_ = 0;  // the store has what is before it
  bool completing_ = false;   // the end was sent
  bool lost_ = false;         // an answer was
};

/// The object that an answer describes, if it is ours.
result<stored> accepted(upload const& what, std::string const& action, std::string_view answer);
/// After a write that failed: success if the store has the same content all the same, else that failure.
awaitable_result<stored> check_stored(requests& through, upload const& what, error failed);

}  // namespace kopiur::blob::gcs
