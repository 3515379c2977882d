#include <boost/asio.hpp>
#include <iterator>

#include "common/blob/s3/store.hpp"

namespace kopiur::blob::s3 {

namespace {

constexpr std::size_t batch_size = 1000;  // the most that S3 takes

bool is_gone(failed_removal const& what) { return what.code == "NoSuchKey" || what.code == "NoSuchVersion"; }

}  // namespace

awaitable_result<void> store::remove_one(std::string bucket, object_name name) {
  request what{.action = "Removing the object " + bucket + "/" + name.key, .method = "DELETE", .bucket = bucket, .key = name.key};
  if (!name.version.empty()) what.query.emplace_back("versionId", name.version);
  if (auto wrong = key_problem(name.key); !wrong.empty())
    co_return std::unexpected(error{.kind = failure::invalid, .code = "InvalidKey", .message = what.action + " failed: " + wrong});
  auto ended = co_await done(std::move(what));
  if (!ended && ended.error().kind == failure::absent && ended.error().code != "NoSuchBucket") co_return result<void>();
  co_return ended;
}

awaitable_result<std::vector<failed_removal>> store::remove_batch(std::string bucket, std::vector<object_name> names) {
  request what{.action = "Removing objects of the bucket " + bucket, .method = "POST", .bucket = bucket, .query = {{"delete", ""}}};
  auto action = what.action;
  auto text = co_await requests_.text(with_xml(std::move(what), removals_xml(names)));
  if (!text) co_return std::unexpected(std::move(text.error()));
  auto read = read_removals(*text);
  if (!read) co_return std::unexpected(requests::malformed(action, read.error()));
  std::erase_if(*read, is_gone);
  co_return std::move(*read);
}

awaitable_result<std::vector<failed_removal>> store::remove(std::string bucket, std::vector<object_name> names) {
  std::vector<failed_removal> failed;
  std::vector<object_name> together, single;
  for (auto& each : names) (each.key.empty() || !fits_xml(each.key) ? single : together).push_back(std::move(each));
  for (std::size_t begin = 0; begin < together.size(); begin += batch_size) {
    auto first = together.begin() + static_cast<std::ptrdiff_t>(begin);
    std::vector<object_name> batch(first, first + static_cast<std::ptrdiff_t>(std::min(batch_size, together.size() - begin)));
    auto some = co_await remove_batch(bucket, batch);
    if (some)
      std::ranges::move(*some, std::back_inserter(failed));
    else if (some.error().kind == failure::unsupported)
      single.insert(single.end(), batch.begin(), batch.end());
    else
      co_return some;
  }
  for (auto& each : single)
    if (auto ended = co_await remove_one(bucket, each); !ended) failed.push_back({each, ended.error().code, ended.error().message});
  co_return failed;
}

}  // namespace kopiur::blob::s3
