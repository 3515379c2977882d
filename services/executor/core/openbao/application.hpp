#pragma once
#include "common/time/instant.hpp"
#include "services/executor/core/openbao/health.hpp"

/// Whether OpenBao has applied a snapshot. It answers before it does (2.4): it then seals itself, replaces its storage, and becomes active
/// again. If it fails in between it stays sealed, or its process ends; after a restart the old content is there.
namespace kopiur::executor::openbao {

/// What identifies the member that took the snapshot, and its time as the leader. Empty: not known.
struct leadership {
  std::string container;     ///< its container: another one after a restart
  std::string active_since;  ///< since when the leader is active
};
/// One look after the answer.
struct look_after_answer {
  voters members;
  leadership now;
  duration sealed_for{};  ///< how long a member has been sealed, in all looks until now
};

enum class application {
  pending,
  applied,  ///< the member was active again without a restart, and all members are healthy
  sealed,   ///< as it must be: the snapshot is of other unseal keys
  doubtful  ///< nobody knows
};
struct application_verdict {
  application is = application::pending;
  std::string why{};  ///< of doubtful: a sentence
};
/// `other_keys`: the snapshot may be of other unseal keys (snapshot-force).
application_verdict judge(leadership const& before, look_after_answer const& seen, bool other_keys, std::string const& pod);
/// Since when the member that answered /v1/sys/leader is active; empty: it does not say.
std::string read_active_since(std::string_view body);

}  // namespace kopiur::executor::openbao
