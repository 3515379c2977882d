#pragma once
#include "services/gateway/kubernetes/objects/objects.hpp"

namespace kopiur::gateway::kubernetes {

/// The manifest of a user's Job, with kopiur's names added. It ends by itself at its deadline, and stays for an hour after its end, so that
/// users can read its log.
json::value manifest_of(proto::run_user_job const& command);

/// Creates it unless it exists, and waits for its end.
awaitable<outcome<void>> run_to_end(objects& all, clock& time, proto::run_user_job command);

}  // namespace kopiur::gateway::kubernetes
