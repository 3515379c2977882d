#include "services/systems/buckety/rules/access.hpp"

#include "common/encoding/join.hpp"
#include "common/json/codec.hpp"

namespace kopiur::buckety {

std::optional<std::string> missing_scope(driver_rules const& driver, role wanted, access_judgement const& judgement) {
  bool role_is_ignored = !driver.scoped && effective_role(wanted) != role::ReadWrite;
  if (!role_is_ignored && judgement.not_scoped.empty()) return {};
  std::string out = "The driver " + std::string(driver.name) + " does not limit credentials";
  if (role_is_ignored) out += " to the role " + std::string(json::to_text(wanted)) + ": they allow reading and writing";
  if (!judgement.not_scoped.empty())
    out += std::string(role_is_ignored ? ", and " : ": ") + encoding::join(judgement.not_scoped) + " has no effect";
  return out + ".";
}

}  // namespace kopiur::buckety
