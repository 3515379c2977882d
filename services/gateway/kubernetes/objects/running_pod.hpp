#pragma once
#include "proto/core/metadata.hpp"
#include "services/gateway/core/refusal.hpp"
#include "services/gateway/kubernetes/objects/api.hpp"

namespace kopiur::gateway::kubernetes {

/// A selector as a query parameter of the API.
std::string query_of(proto::label_selector const& selector);

/// The first running pod by name with these labels; ready pods come first. Invalid, with a sentence, when there is none.
awaitable<outcome<json::value>> running_pod(client& api, std::string ns, proto::label_selector selector);

}  // namespace kopiur::gateway::kubernetes
