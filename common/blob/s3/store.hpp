#pragma once
#include "common/blob/s3/core/xml.hpp"
#include "common/blob/s3/requests.hpp"

namespace kopiur::blob::s3 {

/// A store that speaks S3. Throws std::runtime_error with a sentence when the endpoint is invalid. `time` outlives it.
class store final : public blob::store {
 public:
  store(clock& time, transport transport, options options)
      : time_(time), part_size_(options.part_size), requests_(time, std::move(transport), std::move(options)) {}

  awaitable_result<void> head_bucket(std::string bucket) override;
  awaitable_result<void> create_bucket(std::string bucket, std::string location) override;
  awaitable_result<void> delete_bucket(std::string bucket) override;
  awaitable_result<object_page> list(std::string bucket, listing what) override;
  awaitable_result<version_page> list_versions(std::string bucket, listing what) override;
  awaitable_result<object_head> head(std::string bucket, object_name name) override;
  awaitable_result<object_content> get(std::string bucket, object_name name, byte_range range) override;
  awaitable_result<stored> put(std::string bucket, std::string key, http::upload content, put_options options) override;
  awaitable_result<stored> put_large(std::string bucket, std::string key, seekable_content content, put_options options) override;
  awaitable_result<std::vector<failed_removal>> remove(std::string bucket, std::vector<object_name> names) override;
  awaitable_result<upload_page> list_uploads(std::string bucket, listing what) override;
  awaitable_result<void> abort_upload(std::string bucket, unfinished_upload which) override;
  awaitable_result<versioning> get_versioning(std::string bucket) override;
  awaitable_result<void> set_versioning(std::string bucket, bool enabled) override;
  awaitable_result<std::vector<lifecycle_rule>> get_lifecycle(std::string bucket) override;
  awaitable_result<void> set_lifecycle(std::string bucket, std::vector<lifecycle_rule> rules) override;

 private:
  template <class Page>
  awaitable_result<Page> page(request what, read_as<Page> (*read)(std::string_view), std::string from);
  awaitable_result<void> done(request what);
  awaitable_result<void> remove_one(std::string bucket, object_name name);
  awaitable_result<std::vector<failed_removal>> remove_batch(std::string bucket, std::vector<object_name> names);
  awaitable_result<void> hash(http::upload& content, put_options& with_hash) const;

  clock& time_;
  std::uint64_t part_size_;
  requests requests_;
};

/// A request with an XML body.
request with_xml(request what, std::string text);
/// Adds the headers that a new object has, in one request or in parts: its type and its encryption.
void add_settings(parameters& headers, put_options const& options);
/// Why an object's name must not be part of a path: a sentence; empty: it may.
std::string key_problem(std::string const& key);

}  // namespace kopiur::blob::s3
