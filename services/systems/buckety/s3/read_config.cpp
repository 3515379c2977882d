#include "services/systems/buckety/s3/read_config.hpp"

#include <algorithm>

namespace kopiur::buckety::s3 {
namespace {

/// Whether it is a URL without user information, query and fragment: accesses publish it.
bool is_endpoint(std::string_view text) {
  auto scheme = text.starts_with("https://") ? 8u : text.starts_with("http://") ? 7u : 0u;
  auto rest = text.substr(scheme);
  bool is_clean = std::ranges::none_of(rest, [](unsigned char c) { return c <= 0x20 || c >= 0x7f || c == '@' || c == '?' || c == '#'; });
  return scheme > 0 && !rest.empty() && rest.front() != '/' && rest.front() != ':' && is_clean;
}

}  // namespace

std::expected<backend_config, config::problem> read_config(config_block const& from) {
  auto read = load_block<backend_config>(from);
  if (!read) return read;
  auto fails = [&](char const* field, std::string what) { return std::unexpected(from.file.blame(from.path + field, std::move(what))); };
  if (!is_endpoint(read->endpoint))
    return fails(".endpoint", "is not an address of an S3 API. Write a URL without user and query, as in http://minio.storage:9000.");
  drop_if_empty(read->region), drop_if_empty(read->implementation);
  if (read->implementation && std::ranges::find(implementations, *read->implementation) == implementations.end())
    return fails(".implementation", unknown_value("implementation", *read->implementation, implementations) + ", or leave it out.");
  return read;
}

}  // namespace kopiur::buckety::s3
