#pragma once
#include "services/gateway/adapters/kubernetes/objects.hpp"

namespace kopiur::gateway::kubernetes {

/// One of several gateways of a cluster is the active one: who holds a Lease of `coordination.k8s.io`, as every controller does it, so that
/// `kubectl get lease` shows who. It guards the API server, and stands there: a bus that is away ends nobody's turn.
class leader {
 public:
  struct limits {
    duration life{9'000};      ///< it may be taken over when it was not renewed for so long, on the looker's own clock
    duration renewed{2'000};   ///< how often
    duration given_up{6'000};  ///< who could not renew for so long is no longer active: well before another one is
    duration looked{300};      ///< how often others look
  };
  /// `identity`: of this process, nobody else's.
  leader(client& api, clock& time, std::string ns, std::string name, std::string identity, limits how)
      : api_(api), all_(api), time_(time), key_{"Lease", std::move(ns), std::move(name)}, identity_(std::move(identity)), how_(how) {}
  leader(client& api, clock& time, std::string ns, std::string name, std::string identity)
      : leader(api, time, std::move(ns), std::move(name), std::move(identity), limits{}) {}

  /// Returns once we are the active one. Waits forever, also for an API server that is away. Throws std::runtime_error with a sentence
  /// where we may not write the Lease.
  awaitable<void> acquire();
  /// Renews. Throws std::runtime_error with a sentence once we are no longer the active one: nothing may be written then.
  awaitable<void> keep();
  /// Gives it back, so that nobody has to wait; best effort.
  awaitable<void> release();

 private:
  json::value held_by(std::string const& who, json::value const* before) const;
  bool is_ours(json::value const& lease) const { return lease.text("spec.holderIdentity") == identity_; }
  void require(proto::answer_code code, std::string const& message) const;
  awaitable<bool> take(json::value const* there);
  awaitable<void> renew();

  client& api_;
  objects all_;
  clock& time_;
  object_key key_;
  std::string identity_;
  limits how_;
  json::value lease_;  // as we wrote it last
};

/// `host_pid_random`: no two processes have the same.
std::string own_identity();

}  // namespace kopiur::gateway::kubernetes
