#pragma once
#include "common/json/value.hpp"
#include "services/executor/core/openbao/ending.hpp"
#include "services/executor/core/openbao/settings.hpp"

/// The claim of an OpenBaoRestore: one pod of its Job reserves the only submission, by one conditional write to status.submissionClaim.
namespace kopiur::executor::openbao {

/// The pod that leads OpenBao; without its uid, address and container: it may not be read.
struct target_pod {
  std::string name, uid{}, ip{}, container{};
};
/// The same, with what its Pod says.
target_pod with_pod(target_pod known, json::value const& pod);

struct claim {
  std::string pod_uid;  ///< of the executor
  target_pod target;
  std::string digest;
  std::uint64_t size = 0;
  instant claimed_at{};
};

/// What an OpenBaoRestore says about a submission by this pod.
enum class standing {
  open,      ///< nobody has claimed it
  taken,     ///< another pod has
  own,       ///< this pod already has
  mismatch,  ///< it is another object, or another execution of it
};
struct judgement {
  standing is = standing::mismatch;
  std::string why{};  ///< a sentence, unless it is open
};
judgement judge(json::value const& object, request_identity const& who);

/// A JSON patch of the status that fails if the object, its execution, or its claim is not as expected.
json::value patch_of(claim const& what, request_identity const& who);
/// Whether the object has this pod's claim: an API server drops fields that its CRD does not have.
bool has_claim(json::value const& object, claim const& what);

}  // namespace kopiur::executor::openbao
