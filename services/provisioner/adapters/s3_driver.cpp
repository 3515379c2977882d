#include "services/provisioner/adapters/s3_driver.hpp"

#include <algorithm>

#include "common/blob/s3/store.hpp"

namespace kopiur::provisioner {

namespace asio = boost::asio;
namespace s3 = buckety::s3;
using blob::failure;

namespace {

constexpr char const* default_region = "us-east-1";
constexpr int attempts = 3;

/// The store itself says so: the answer of a proxy that does not know the path proves nothing.
bool is_no_bucket(blob::error const& why) { return why.kind == failure::absent && why.code == "NoSuchBucket"; }
/// The store lacks the function: what cannot be set is not managed.
bool is_unsupported(blob::error const& why) { return why.kind == failure::unsupported; }

std::string location_of(s3::backend_config const& config, s3::wanted_bucket const& wanted) {
  if (wanted.jurisdiction) return *wanted.jurisdiction;
  bool named = config.implementation == "aws" && config.region && *config.region != default_region;
  return named ? *config.region : "";
}

s3::lifecycle_rules as_wanted(std::vector<blob::lifecycle_rule> const& there) {
  s3::lifecycle_rules rules;
  for (auto& each : there)
    rules.push_back(
        {.prefix = each.prefix, .expiration_days = each.expiration_days, .abort_days = each.abort_uploads_days, .enabled = each.enabled});
  return rules;
}
std::vector<blob::lifecycle_rule> as_stored(s3::lifecycle_rules const& wanted) {
  std::vector<blob::lifecycle_rule> rules;
  for (auto& each : wanted) {
    blob::lifecycle_rule rule{.id = "buckety-" + std::to_string(rules.size()), .prefix = each.prefix, .enabled = each.enabled};
    if (each.expiration_days) rule.expiration_days = static_cast<int>(*each.expiration_days);
    if (each.abort_days) rule.abort_uploads_days = static_cast<int>(*each.abort_days);
    rules.push_back(std::move(rule));
  }
  return rules;
}

call_failed failed(blob::error const& why) { return {why.message}; }

}  // namespace

auto s3_driver::inspect(std::string name, bool content) -> answer<buckety::inspection> {
  auto there = co_await store_->head_bucket(name);
  if (!there && there.error().kind == failure::absent) co_return buckety::inspection{};
  if (!there) co_return failed(there.error());
  if (!content) co_return buckety::inspection{.exists = true};
  auto empty = co_await is_empty(name);
  if (!empty) co_return failed(empty.error());
  co_return buckety::inspection{.exists = true, .empty = *empty};
}

/// A bucket whose content may not be listed counts as one with content.
auto s3_driver::is_empty(std::string name) -> result<bool> {
  auto objects = co_await store_->list(name, {.page_size = 1});
  if (!objects && objects.error().kind == failure::denied) co_return false;
  if (!objects) co_return std::unexpected(objects.error());
  if (!objects->objects.empty()) co_return false;
  for (std::string from;;) {  // delete markers are no content
    auto page = co_await store_->list_versions(name, {.from = from});
    if (!page && page.error().kind == failure::denied) co_return false;
    if (!page) co_return std::unexpected(page.error());
    if (std::ranges::any_of(page->versions, [](auto& each) { return !each.delete_marker; })) co_return false;
    if (page->next.empty()) co_return true;
    from = page->next;
  }
}

auto s3_driver::create(std::string name, buckety::parameters wanted) -> answer<buckety::create_result> {
  auto parsed = s3::parse_parameters(config_, wanted);
  if (!parsed) co_return call_failed{buckety::text_of(parsed.error())};
  auto made = co_await store_->create_bucket(name, location_of(config_, *parsed));
  if (made) {  // some stores answer so for a bucket that exists, too: one with content was not made just now
    auto empty = co_await is_empty(name);
    if (!empty) co_return failed(empty.error());
    co_return *empty ? buckety::create_result::Made : buckety::create_result::ExistsAlready;
  }
  bool exists = made.error().kind == failure::owned || made.error().kind == failure::taken;
  if (exists) co_return buckety::create_result::ExistsAlready;
  co_return failed(made.error());
}

/// A setting that is not given is not managed. Each is written only when it differs.
auto s3_driver::settle(std::string name, buckety::parameters wanted, bool writes) -> settled {
  auto parsed = s3::parse_parameters(config_, wanted);
  if (!parsed) co_return call_failed{buckety::text_of(parsed.error())};
  bool same = true;
  if (parsed->versioning) {
    auto done = co_await settle_versioning(name, *parsed->versioning, writes);
    if (!done) co_return failed(done.error());
    same = same && *done;
  }
  if (parsed->lifecycle) {
    auto done = co_await settle_lifecycle(name, *parsed->lifecycle, writes);
    if (!done) co_return failed(done.error());
    if (writes && !*done) co_return drifted{"lifecycle: the store keeps other rules than those that it was given."};
    same = same && *done;
  }
  co_return same ? alignment::Same : alignment::Different;
}

/// True: it is as wanted now.
auto s3_driver::settle_versioning(std::string name, bool wanted, bool writes) -> result<bool> {
  auto there = co_await store_->get_versioning(name);
  if (!there && is_unsupported(there.error())) co_return true;
  if (!there) co_return std::unexpected(there.error());
  if ((*there == blob::versioning::enabled) == wanted) co_return true;
  if (!writes) co_return false;
  auto done = co_await store_->set_versioning(name, wanted);
  if (!done && !is_unsupported(done.error())) co_return std::unexpected(done.error());
  co_return true;
}

auto s3_driver::settle_lifecycle(std::string name, s3::lifecycle_rules wanted, bool writes) -> result<bool> {
  auto there = co_await store_->get_lifecycle(name);
  if (!there && is_unsupported(there.error())) co_return true;
  if (!there) co_return std::unexpected(there.error());
  bool foreign = std::ranges::any_of(*there, [](auto& each) { return !each.verbatim.empty(); });
  if (!foreign && s3::are_same(as_wanted(*there), wanted)) co_return true;
  if (!writes) co_return false;
  auto done = co_await store_->set_lifecycle(name, as_stored(wanted));
  if (!done && is_unsupported(done.error())) co_return true;
  if (!done) co_return std::unexpected(done.error());
  auto now = co_await store_->get_lifecycle(name);  // MinIO takes the limit of unfinished uploads, and forgets it
  if (!now) co_return std::unexpected(now.error());
  co_return s3::are_same(as_wanted(*now), wanted);
}

/// Removes up to a page of objects, then of versions and markers, then of unfinished uploads; the bucket itself once nothing is left.
auto s3_driver::remove(std::string name) -> answer<removal> {
  auto removed = co_await remove_some(name);
  if (!removed && is_no_bucket(removed.error())) co_return removal::Done;
  if (!removed) co_return failed(removed.error());
  if (*removed) co_return removal::Emptying;
  auto gone = co_await store_->delete_bucket(name);
  if (gone || is_no_bucket(gone.error())) co_return removal::Done;
  if (gone.error().kind == failure::conflict) co_return removal::Emptying;
  co_return failed(gone.error());
}

/// False: there was nothing to remove.
auto s3_driver::remove_some(std::string name) -> result<bool> {
  auto objects = co_await store_->list(name, {});
  if (!objects) co_return std::unexpected(objects.error());
  std::vector<blob::object_name> some;
  for (auto& each : objects->objects) some.push_back({each.key});
  if (!some.empty()) co_return co_await remove_all_of(name, std::move(some));
  auto versions = co_await store_->list_versions(name, {});
  if (!versions) co_return std::unexpected(versions.error());
  for (auto& each : versions->versions) some.push_back({each.content.key, each.version});
  if (!some.empty()) co_return co_await remove_all_of(name, std::move(some));
  auto uploads = co_await store_->list_uploads(name, {});
  if (!uploads && is_unsupported(uploads.error())) co_return false;
  if (!uploads) co_return std::unexpected(uploads.error());
  for (auto& each : uploads->uploads)
    if (auto aborted = co_await store_->abort_upload(name, each); !aborted) co_return std::unexpected(aborted.error());
  co_return !uploads->uploads.empty();
}

auto s3_driver::remove_all_of(std::string name, std::vector<blob::object_name> some) -> result<bool> {
  auto left = co_await store_->remove(name, std::move(some));
  if (!left) co_return std::unexpected(left.error());
  if (left->empty()) co_return true;
  auto& first = left->front();
  co_return std::unexpected(
      blob::error{.code = first.code, .message = "The object " + first.name.key + " cannot be deleted: " + first.message});
}

std::unique_ptr<driver> make_s3_driver(clock& time, http::pool& connections, s3::backend_config const& config) {
  blob::s3::options options{
      .endpoint = config.endpoint,
      .region = config.region.value_or(default_region),
      .addressing = config.force_path_style ? blob::s3::style::path : blob::s3::style::virtual_host,
      .identity = [config] { return blob::s3::credentials{config.access_key_ID.reveal(), config.secret_access_key.reveal()}; },
      .attempts = attempts};
  return std::make_unique<s3_driver>(std::make_unique<blob::s3::store>(time, blob::over(connections), std::move(options)), config);
}

}  // namespace kopiur::provisioner
