#pragma once
#include "proto/core/metadata.hpp"
#include "services/gateway/adapters/kubernetes/client.hpp"

namespace kopiur::gateway::kubernetes {

/// A selector as the API takes it in a query.
std::string query_of(proto::label_selector const& selector);

/// The first pod by name that runs and has these labels, one that is ready before all others. Invalid, with a sentence, where there is
/// none.
awaitable<outcome<json::value>> running_pod(client& api, std::string ns, proto::label_selector selector);

}  // namespace kopiur::gateway::kubernetes
