#include <boost/asio.hpp>

#include "common/blob/s3/store.hpp"

namespace kopiur::blob::s3 {

namespace {

void add(parameters& query, std::string const& name, std::string const& value) {
  if (!value.empty()) query.emplace_back(name, value);
}

/// Where a list of keys goes on, of which each may occur several times; `id`: the parameter that tells those apart.
void add_cursor(parameters& query, std::string const& from, std::string const& id) {
  auto [marker, key] = split_cursor(from);
  add(query, "key-marker", key);
  add(query, id, marker);
}

request listing_of(std::string kind, std::string const& bucket, listing const& what) {
  request out{.action = "Listing the " + kind + " of the bucket " + bucket, .bucket = bucket, .query = {{"encoding-type", "url"}}};
  add(out.query, "prefix", what.prefix);
  add(out.query, "delimiter", what.delimiter);
  return out;
}

}  // namespace

template <class Page>
awaitable_result<Page> store::page(request what, read_as<Page> (*read)(std::string_view), std::string from) {
  auto action = what.action;
  auto text = co_await requests_.text(std::move(what));
  if (!text) co_return std::unexpected(std::move(text.error()));
  auto read_page = read(*text);
  if (!read_page) co_return std::unexpected(requests::malformed(action, read_page.error()));
  if (!from.empty() && read_page->next == from) co_return std::unexpected(requests::malformed(action, "the next page is the same again"));
  co_return std::move(*read_page);
}

awaitable_result<object_page> store::list(std::string bucket, listing what) {
  auto out = listing_of("objects", bucket, what);
  out.query.emplace_back("list-type", "2");
  out.query.emplace_back("max-keys", std::to_string(what.page_size));
  add(out.query, "continuation-token", what.from);
  return page(std::move(out), read_objects, what.from);
}

awaitable_result<version_page> store::list_versions(std::string bucket, listing what) {
  auto out = listing_of("versions", bucket, what);
  out.query.emplace_back("versions", "");
  out.query.emplace_back("max-keys", std::to_string(what.page_size));
  add_cursor(out.query, what.from, "version-id-marker");
  auto found = co_await page(std::move(out), read_versions, what.from);
  if (!found && found.error().kind == failure::unsupported) co_return version_page{.supported = false};
  co_return found;
}

awaitable_result<upload_page> store::list_uploads(std::string bucket, listing what) {
  auto out = listing_of("unfinished uploads", bucket, what);
  out.query.emplace_back("uploads", "");
  out.query.emplace_back("max-uploads", std::to_string(what.page_size));
  add_cursor(out.query, what.from, "upload-id-marker");
  return page(std::move(out), read_uploads, what.from);
}

awaitable_result<void> store::abort_upload(std::string bucket, unfinished_upload which) {
  request what{.action = "Aborting an upload to " + bucket + "/" + which.key, .method = "DELETE", .bucket = bucket, .key = which.key};
  what.query.emplace_back("uploadId", which.id);
  if (auto wrong = key_problem(which.key); !wrong.empty())
    co_return std::unexpected(error{.kind = failure::invalid, .message = what.action + " failed: " + wrong});
  auto ended = co_await done(std::move(what));
  if (!ended && ended.error().code == "NoSuchUpload") co_return result<void>();
  co_return ended;
}

}  // namespace kopiur::blob::s3
