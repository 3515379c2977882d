#include "services/executor/shell/openbao/download.hpp"

#include <boost/asio.hpp>

#include "common/blob/core/digest.hpp"
#include "common/encoding/hex.hpp"

namespace kopiur::executor::openbao {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

std::unexpected<trouble> failed(status code, std::string message) { return std::unexpected(trouble{code, std::move(message)}); }

std::string bytes(std::uint64_t count) { return std::to_string(count) + " bytes"; }

/// What can be said before anything is downloaded.
std::optional<trouble> size_trouble(std::uint64_t size, restore_settings const& what, staged_file const& file) {
  auto name = "The snapshot " + what.key;
  if (size == 0) return trouble{status::verification, name + " is empty. Choose another one."};
  if (size > largest_snapshot)
    return trouble{status::verification, name + " has " + bytes(size) + ", and at most " + bytes(largest_snapshot) + " are supported."};
  if (what.expected_size && size != *what.expected_size)
    return trouble{status::verification, name + " has " + bytes(size) + ", not " + bytes(*what.expected_size) + " as expected."};
  if (auto problem = file.space_problem(size); !problem.empty()) return trouble{status::storage, std::move(problem)};
  return {};
}

}  // namespace

awaitable<outcome<staged_snapshot>> stage(staged_file file,
                                          std::function<awaitable<std::expected<std::size_t, std::string>>(asio::mutable_buffer)> read) {
  blob::digest_stream digest(blob::digest_stream::algorithm::sha256);
  std::string piece(1 << 20, 0);
  for (;;) {
    auto length = co_await read(asio::buffer(piece));
    if (!length) co_return failed(status::storage, std::move(length.error()));
    if (*length == 0) break;
    auto part = std::string_view(piece).substr(0, *length);
    if (file.size() + part.size() > largest_snapshot)
      co_return failed(status::verification, "The snapshot has more than " + bytes(largest_snapshot) + ", which are not supported.");
    file.write(part);
    digest.add(part);
  }
  file.sync();
  co_return staged_snapshot{.file = file, .digest = "sha256:" + encoding::hex(digest.end())};
}

awaitable<outcome<staged_snapshot>> download(snapshot_store store, restore_settings const& what) {
  staged_file file(what.staging);
  auto content = co_await store.get(what.key);
  if (!content) co_return failed(status::storage, std::move(content.error().message));
  if (auto wrong = size_trouble(content->length, what, file)) co_return std::unexpected(std::move(*wrong));
  auto read = [&content](asio::mutable_buffer buffer) -> awaitable<std::expected<std::size_t, std::string>> {
    return [](blob::object_content& from, asio::mutable_buffer target) -> awaitable<std::expected<std::size_t, std::string>> {
      auto length = co_await from.read(target);
      if (!length) co_return std::unexpected(std::move(length.error().message));
      co_return *length;
    }(*content, buffer);
  };
  auto staged = co_await stage(std::move(file), read);
  if (!staged) co_return staged;
  if (staged->file.size() != content->length)
    co_return failed(status::storage,
                     "The snapshot " + what.key + " has " + bytes(content->length) + ", and " + bytes(staged->file.size()) + " came.");
  if (!what.expected_digest.empty() && staged->digest != what.expected_digest)
    co_return failed(status::verification, "The snapshot " + what.key + " has the digest " + staged->digest + ", not " +
                                               what.expected_digest + " as expected. Nothing was submitted.");
  co_return staged;
}

}  // namespace kopiur::executor::openbao
