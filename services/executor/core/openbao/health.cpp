#include "services/executor/core/openbao/health.hpp"

#include "common/encoding/join.hpp"
#include "common/json/value.hpp"

namespace kopiur::executor::openbao {

namespace {

bool is_true(json::value const& from, std::string_view name, bool otherwise) {
  auto* found = from.find(name);
  auto* value = found ? found->as_bool() : nullptr;
  return value ? *value : otherwise;
}

std::string words_for(std::optional<health> const& answer) {
  if (!answer) return "does not answer";
  if (!answer->initialized) return "is not initialized";
  if (answer->sealed) return "is sealed";
  return answer->standby ? "is a standby" : "leads";
}

}  // namespace

std::optional<health> read_health(std::string_view body) {
  auto read = json::parse(body, {.bytes = 64 << 10, .depth = 16, .members = 1000});
  if (!read || !read->find("initialized") || !read->find("sealed")) return {};
  return health{.initialized = is_true(*read, "initialized", false),
                .sealed = is_true(*read, "sealed", true),
                .standby = is_true(*read, "standby", true) || is_true(*read, "performance_standby", false),
                .cluster_id = std::string(read->text("cluster_id")),
                .version = std::string(read->text("version"))};
}

std::optional<int> leader_among(std::vector<member_health> const& members) {
  for (auto& each : members)
    if (each.answer && each.answer->leads()) return each.ordinal;
  return {};
}

std::string describe(std::vector<member_health> const& members, std::string const& stateful_set) {
  return encoding::join(members, ", ", [&](member_health const& each) {
    return stateful_set + "-" + std::to_string(each.ordinal) + " " + words_for(each.answer);
  });
}

voters judge(std::vector<member_health> const& members) {
  voters found{.has_leader = leader_among(members).has_value()};
  bool sealed = false;
  for (auto& each : members) {
    bool opened = each.answer && each.answer->initialized && !each.answer->sealed;
    if (!opened) found.not_healthy.push_back(each.ordinal);
    sealed = sealed || (each.answer && !opened);
  }
  if (sealed)
    found.all = voters::state::sealed;
  else if (found.not_healthy.empty() && found.has_leader)
    found.all = voters::state::healthy;
  return found;
}

std::string sentence_for(voters const& state, std::string const& stateful_set) {
  auto names = encoding::join(state.not_healthy, ", ", [&](int each) { return stateful_set + "-" + std::to_string(each); });
  switch (state.all) {
    case voters::state::healthy:
      return "All members are healthy.";
    case voters::state::sealed:
      return "Not healthy: " + names + ". Unseal what is sealed, with the keys of the cluster that the snapshot is of.";
    case voters::state::unreachable:
      break;
  }
  return names.empty() ? "No member leads." : "Not healthy: " + names + ". They do not answer: look at their pods.";
}

std::string name_of(voters::state state) {
  switch (state) {
    case voters::state::healthy:
      return "healthy";
    case voters::state::sealed:
      return "sealed";
    case voters::state::unreachable:
      break;
  }
  return "unreachable";
}

}  // namespace kopiur::executor::openbao
