#pragma once
#include <functional>
#include <optional>

#include "services/executor/core/snapshot_digests.hpp"
#include "services/executor/core/snapshot_place.hpp"
#include "services/executor/core/snapshot_status.hpp"
#include "services/executor/shell/verbs.hpp"

namespace kopiur::executor {

/// What was found in a snapshot that could be read.
struct snapshot_verdict {
  std::string url;  ///< without a query
  snapshot_digests bytes;
  std::optional<snapshot_status> database{};  ///< nothing: it was not opened, or etcdutl refuses it
  std::string problem{};                      ///< why it is not a good snapshot, or not known to be one; empty: it is good
};
/// Why there is no verdict.
struct no_verdict {
  enum class kind { wrong_call, absent, failed };
  kind why = kind::failed;
  std::string message;  ///< a sentence without credentials
};
using verify_result = std::expected<snapshot_verdict, no_verdict>;
/// Is told how many bytes are there, and how many there will be.
using download_progress = std::function<void(std::uint64_t have, std::uint64_t total)>;

/// Downloads the snapshot into a file, checks the checksum in it, and lets etcdutl check the database. Everything that it wrote is removed
/// at its end, also when it is cancelled; but a whole `what.save_as` stays. Writing blocks.
app::awaitable<verify_result> verify_snapshot(clock& time, snapshot_check what, environment variables, download_progress told);

}  // namespace kopiur::executor
