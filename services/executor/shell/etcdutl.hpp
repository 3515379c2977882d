#pragma once
#include <filesystem>

#include "services/executor/core/snapshot_status.hpp"
#include "services/executor/shell/verbs.hpp"

namespace kopiur::executor {

/// Lets etcdutl open and check the database, for at most 10 minutes. `program`: its path or name; empty: etcdutl. A name is looked for in
/// PATH, which is the only variable that it gets. The error is a sentence.
app::awaitable<std::expected<snapshot_status, std::string>> ask_etcdutl(clock& time, std::string program, std::filesystem::path snapshot,
                                                                        environment variables);

}  // namespace kopiur::executor
