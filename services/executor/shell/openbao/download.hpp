#pragma once
#include "services/executor/shell/openbao/snapshot_store.hpp"
#include "services/executor/shell/openbao/staged_file.hpp"

namespace kopiur::executor::openbao {

/// A snapshot on the local disk.
struct staged_snapshot {
  staged_file file;
  std::string digest;  ///< `sha256:` and 64 hexadecimal digits
};

/// Downloads the snapshot of the settings, and checks its size and digest.
boost::asio::awaitable<outcome<staged_snapshot>> download(snapshot_store store, restore_settings const& what);

/// Copies `read`, which returns 0 at its end, to the disk; `largest` bytes at most.
boost::asio::awaitable<outcome<staged_snapshot>> stage(
    staged_file file, std::function<boost::asio::awaitable<std::expected<std::size_t, std::string>>(boost::asio::mutable_buffer)> read);

}  // namespace kopiur::executor::openbao
