#pragma once
#include "common/kubernetes/client.hpp"

namespace kopiur::kubernetes {

/// Leader election: one of several processes is active. It holds a Lease of `coordination.k8s.io`, as other controllers do, so that
/// `kubectl get lease` shows it. One loop, no threads.
class leader {
 public:
  struct limits {
    duration life{9'000};      ///< it may be taken over when not renewed for this long, by the observer's clock
    duration renewed{2'000};   ///< renewal interval
    duration given_up{6'000};  ///< a leader that could not renew for this long steps down, well before another takes over
    duration looked{300};      ///< poll interval of the others
  };
  /// `identity`: unique for this process.
  leader(client& api, clock& time, std::string ns, std::string name, std::string identity, limits limits)
      : api_(api),
        time_(time),
        key_{std::string(leases.kind), std::move(ns), std::move(name)},
        identity_(std::move(identity)),
        limits_(limits) {}
  leader(client& api, clock& time, std::string ns, std::string name, std::string identity)
      : leader(api, time, std::move(ns), std::move(name), std::move(identity), limits{}) {}

  /// Returns once this process is active. Waits forever, also for an unreachable API server. Throws std::runtime_error with a sentence when
  /// it may not write the Lease.
  awaitable<void> acquire();
  /// Renews. Throws std::runtime_error with a sentence once this process is no longer active: it must not write then.
  awaitable<void> keep();
  /// Whether no other process can be active by now: false before acquire(), and when the Lease was not renewed in time, also where keep()
  /// could not notice it yet because the whole process stood still.
  bool leads() const { return !lease_.is_null() && time_.steady() - renewed_ < limits_.renewed + limits_.given_up; }
  /// Releases the Lease, so that no other has to wait; best effort.
  awaitable<void> release();

 private:
  json::value held_by(std::string const& who, json::value const* before) const;
  bool is_ours(json::value const& lease) const { return lease.text("spec.holderIdentity") == identity_; }
  void require(error const& why) const;
  awaitable<result<json::value>> read();
  awaitable<bool> take(json::value const* there);
  awaitable<void> renew();

  client& api_;
  clock& time_;
  object_key key_;
  std::string identity_;
  limits limits_;
  json::value lease_;    // as last written
  duration renewed_{0};  // when that was asked for, in steady time
};

/// `host_pid_random`: unique for each process.
std::string own_identity();

}  // namespace kopiur::kubernetes
