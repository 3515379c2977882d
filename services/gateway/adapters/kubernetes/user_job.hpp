#pragma once
#include "services/gateway/adapters/kubernetes/objects.hpp"

namespace kopiur::gateway::kubernetes {

/// The Job of a user's as we make it: theirs, with our names on it, that ends by itself when its time is over and stays for an hour after
/// its end, for whoever wants to see its log.
json::value manifest_of(proto::run_user_job const& command);

/// Makes it, unless it is there, and waits for its end.
awaitable<outcome<void>> run_to_end(objects& all, clock& time, proto::run_user_job command);

}  // namespace kopiur::gateway::kubernetes
