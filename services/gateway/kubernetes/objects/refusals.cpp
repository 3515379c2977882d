#include "services/gateway/kubernetes/objects/refusals.hpp"

#include <utility>

namespace kopiur::gateway::kubernetes {

using proto::answer_code;

answer_code answer_for(failure why) {
  switch (why) {
    case failure::not_found:
      return answer_code::NotFound;
    case failure::already_exists:
      return answer_code::AlreadyExists;
    case failure::conflict:
      return answer_code::Conflict;
    case failure::invalid:
      return answer_code::Invalid;
    case failure::forbidden:
      return answer_code::Forbidden;
    case failure::too_many_requests:
      return answer_code::TooManyRequests;
    case failure::ambiguous:
      return answer_code::Ambiguous;
    case failure::unavailable:
      return answer_code::Unavailable;
  }
  std::unreachable();
}

std::unexpected<refusal> refused(error const& why) { return refuse(answer_for(why.code), why.message); }

}  // namespace kopiur::gateway::kubernetes
