#pragma once
#include "services/controller/core/plan_kind.hpp"

/// Whether the etcd of a control plane may be backed up, from live looks that are at most 20 s old (decisions D11).
namespace kopiur::hypershift {

/// What the looks have shown so far.
struct etcd_health {
  enum class state { unknown, unhealthy, healthy };
  state is = state::unknown;
  std::string message;                ///< a sentence, unless it is healthy
  std::string remark{};               ///< what was not checked of a healthy one, as a sentence; empty: nothing
  std::vector<controller::ask> asks;  ///< the looks to take now
  instant look_again{};
};

/// Looks at the etcd of that namespace, for this run.
etcd_health look_at_etcd(controller::cluster_view const& all, std::string const& ns, std::string const& run);

}  // namespace kopiur::hypershift
