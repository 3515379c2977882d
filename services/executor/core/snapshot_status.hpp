#pragma once
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace kopiur::executor {

/// What `etcdutl snapshot status` says of a database.
struct snapshot_status {
  std::int64_t revision = 0, keys = 0;
  std::int64_t size = 0;  ///< of the database, in bytes
  std::string hash{};     ///< hexadecimal, as in etcdutl's table
  std::string version{};  ///< of etcd's storage; empty: an older etcdutl does not say it
};

/// Reads its JSON. The error is a sentence.
std::expected<snapshot_status, std::string> read_status(std::string_view text);

/// Why etcdutl failed, a clause: the first line of its stderr, which may go on with the stacks of Go.
std::string first_reason(std::string_view text);

}  // namespace kopiur::executor
