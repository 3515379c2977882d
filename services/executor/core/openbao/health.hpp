#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the members of a cluster say of themselves.
namespace kopiur::executor::openbao {

/// The answer to /v1/sys/health, which has the same content with every status.
struct health {
  bool initialized = false, sealed = true, standby = true;
  std::string cluster_id{}, version{};

  bool leads() const { return initialized && !sealed && !standby; }
};
/// Nothing: it is no such answer.
std::optional<health> read_health(std::string_view body);

/// A member, and its answer; nothing: it did not answer.
struct member_health {
  int ordinal = 0;
  std::optional<health> answer{};
};

/// The leader's ordinal; nothing: no member says that it leads.
std::optional<int> leader_among(std::vector<member_health> const& members);

/// `bao-0 does not answer, bao-1 is sealed, bao-2 is a standby`
std::string describe(std::vector<member_health> const& members, std::string const& stateful_set);

/// The state of all members.
struct voters {
  enum class state { healthy, sealed, unreachable };
  state all = state::unreachable;
  std::vector<int> not_healthy{};  ///< ordinals
  bool has_leader = false;
};
/// Healthy: all are initialized and unsealed, and one leads. Otherwise sealed, if one is sealed or not initialized.
voters judge(std::vector<member_health> const& members);
/// What to tell a user: `All members are healthy.`, or which are not, and what to do.
std::string sentence_for(voters const& state, std::string const& stateful_set);
/// `healthy`, `sealed` or `unreachable`.
std::string name_of(voters::state state);

}  // namespace kopiur::executor::openbao
