#include <boost/asio.hpp>

#include "common/blob/core/digest.hpp"
#include "common/blob/s3/store.hpp"
#include "common/encoding/base64.hpp"
#include "common/encoding/hex.hpp"

namespace kopiur::blob::s3 {

request with_xml(request what, std::string text) {
  what.headers.emplace_back("Content-Type", "application/xml");
  what.headers.emplace_back("Content-MD5", encoding::base64(md5(text)));
  what.payload_hash = encoding::hex(sha256(text));
  what.body = http::text_upload(std::move(text));
  return what;
}

awaitable_result<void> store::done(request what) {
  auto text = co_await requests_.text(std::move(what));
  if (!text) co_return std::unexpected(std::move(text.error()));
  co_return result<void>();
}

awaitable_result<void> store::head_bucket(std::string bucket) {
  return done({.action = "Looking for the bucket " + bucket, .method = "HEAD", .bucket = bucket});
}

awaitable_result<void> store::create_bucket(std::string bucket, std::string location) {
  request what{.action = "Creating the bucket " + bucket, .method = "PUT", .bucket = bucket, .once = true};
  if (location.empty() || location == "us-east-1") {  // S3 refuses its oldest region as a constraint
    what.body = http::text_upload("");
    what.payload_hash = encoding::hex(sha256(""));
    return done(std::move(what));
  }
  return done(with_xml(std::move(what), location_xml(location)));
}

awaitable_result<void> store::delete_bucket(std::string bucket) {
  return done({.action = "Deleting the bucket " + bucket, .method = "DELETE", .bucket = bucket, .once = true});
}

awaitable_result<versioning> store::get_versioning(std::string bucket) {
  request what{.action = "Reading the versioning of the bucket " + bucket, .bucket = bucket, .query = {{"versioning", ""}}};
  auto action = what.action;
  auto text = co_await requests_.text(std::move(what));
  if (!text) co_return std::unexpected(std::move(text.error()));
  auto read = read_versioning(*text);
  if (!read) co_return std::unexpected(requests::malformed(action, read.error()));
  co_return *read;
}

awaitable_result<void> store::set_versioning(std::string bucket, bool enabled) {
  request what{
      .action = "Setting the versioning of the bucket " + bucket, .method = "PUT", .bucket = bucket, .query = {{"versioning", ""}}};
  return done(with_xml(std::move(what), versioning_xml(enabled)));
}

awaitable_result<std::vector<lifecycle_rule>> store::get_lifecycle(std::string bucket) {
  request what{.action = "Reading the lifecycle rules of the bucket " + bucket, .bucket = bucket, .query = {{"lifecycle", ""}}};
  auto action = what.action;
  auto text = co_await requests_.text(std::move(what));
  if (!text && text.error().code == "NoSuchLifecycleConfiguration") co_return std::vector<lifecycle_rule>();
  if (!text) co_return std::unexpected(std::move(text.error()));
  auto read = read_lifecycle(*text);
  if (!read) co_return std::unexpected(requests::malformed(action, read.error()));
  co_return std::move(*read);
}

awaitable_result<void> store::set_lifecycle(std::string bucket, std::vector<lifecycle_rule> rules) {
  request what{.action = "Setting the lifecycle rules of the bucket " + bucket, .bucket = bucket, .query = {{"lifecycle", ""}}};
  what.method = rules.empty() ? "DELETE" : "PUT";
  if (rules.empty()) co_return co_await done(std::move(what));
  auto text = lifecycle_xml(rules);
  if (!text) co_return std::unexpected(error{.kind = failure::invalid, .message = what.action + " failed: " + text.error()});
  co_return co_await done(with_xml(std::move(what), std::move(*text)));
}

}  // namespace kopiur::blob::s3
