#pragma once
#include "services/gateway/core/refusal.hpp"
#include "services/gateway/kubernetes/objects/api.hpp"

/// What a service is told when a call to the API server fails.
namespace kopiur::gateway::kubernetes {

proto::answer_code answer_for(failure why);
/// The same code and sentence, as the answer to a command.
std::unexpected<refusal> refused(error const& why);
/// A permanent failure: retries do not help until a user changes something.
inline bool is_permanent(refusal const& why) {
  return why.code == proto::answer_code::Forbidden || why.code == proto::answer_code::Invalid;
}

}  // namespace kopiur::gateway::kubernetes
