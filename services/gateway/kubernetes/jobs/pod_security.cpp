#include "services/gateway/kubernetes/jobs/pod_security.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <ranges>
#include <span>

#include "common/encoding/join.hpp"
#include "proto/kopiur/names.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway::kubernetes {

using json::value;

namespace {

constexpr std::size_t longest_shown = 60;

bool is_true(value const& it) { return it == value(true); }
bool is_false(value const& it) { return it == value(false); }
bool is_number(value const& it, std::int64_t least) {
  return it.as_int() && *it.as_int() >= least && *it.as_int() <= std::numeric_limits<std::int32_t>::max();
}
bool is_group(value const& it) { return is_number(it, 0); }
bool is_user_but_root(value const& it) { return is_number(it, 1); }
bool are_groups(value const& it) { return it.as_array() && std::ranges::all_of(*it.as_array(), is_group); }

bool is_one_of(value const* it, std::initializer_list<std::string_view> texts) {
  return it && it->as_string() && std::ranges::find(texts, *it->as_string()) != texts.end();
}
bool has_only(value const& it, std::initializer_list<std::string_view> fields) {
  return it.as_object() && std::ranges::all_of(*it.as_object(), [&](json::member const& each) {
           return std::ranges::find(fields, each.first) != fields.end();
         });
}

/// A profile of seccomp or AppArmor that confines.
bool is_confined(value const& it) {
  return has_only(it, {"type", "localhostProfile"}) && is_one_of(it.find("type"), {"RuntimeDefault", "Localhost"});
}
bool drops_all_capabilities(value const& it) {
  auto* dropped = it.find("drop");
  auto* added = it.find("add");
  return has_only(it, {"drop", "add"}) && dropped && dropped->as_array() &&
         std::ranges::find(*dropped->as_array(), value("ALL")) != dropped->as_array()->end() && (!added || *added == value::make_array());
}
bool has_usual_selinux(value const& it) {
  auto is_left_out = [&](char const* name) { return !it.find(name) || is_one_of(it.find(name), {""}); };
  return has_only(it, {"level", "type", "user", "role"}) && is_left_out("user") && is_left_out("role") &&
         (!it.find("type") || is_one_of(it.find("type"), {"", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"}));
}
bool is_supplemental_policy(value const& it) { return is_one_of(&it, {"Merge", "Strict"}); }
bool is_group_change_policy(value const& it) { return is_one_of(&it, {"OnRootMismatch", "Always"}); }
bool is_selinux_change_policy(value const& it) { return is_one_of(&it, {"MountOption", "Recursive"}); }

struct rule {
  std::string_view field;
  bool (*passes)(value const&);
  std::string_view wanted;  ///< the allowed value, for a sentence
  bool required = false;
};

constexpr std::string_view confined = "of the type RuntimeDefault or Localhost";
constexpr rule run_as_user{"runAsUser", is_user_but_root, "a user id above 0"}, run_as_group{"runAsGroup", is_group, "a group id"},
    app_armor{"appArmorProfile", is_confined, confined},
    selinux{"seLinuxOptions", has_usual_selinux, "without user and role, and of a type for containers"};

constexpr rule pod_rules[] = {
    {"runAsNonRoot", is_true, "true", true},
    {"seccompProfile", is_confined, confined, true},
    run_as_user,
    run_as_group,
    app_armor,
    selinux,
    {"fsGroup", is_group, "a group id"},
    {"supplementalGroups", are_groups, "a list of group ids"},
    {"supplementalGroupsPolicy", is_supplemental_policy, "Merge or Strict"},
    {"fsGroupChangePolicy", is_group_change_policy, "OnRootMismatch or Always"},
    {"seLinuxChangePolicy", is_selinux_change_policy, "MountOption or Recursive"},
};
/// A field that a container lacks is taken from its pod.
constexpr rule container_rules[] = {
    {"allowPrivilegeEscalation", is_false, "false", true},
    {"readOnlyRootFilesystem", is_true, "true", true},
    {"capabilities", drops_all_capabilities, "a drop of ALL that adds none", true},
    {"privileged", is_false, "false, and mover.privilegedMode absent"},
    {"runAsNonRoot", is_true, "true"},
    {"seccompProfile", is_confined, confined},
    run_as_user,
    run_as_group,
    app_armor,
    selinux,
};

std::string shortened(std::string text) {
  if (text.size() > longest_shown) text = text.substr(0, longest_shown) + "...";
  return text;
}

std::string joined(std::vector<std::string> const& clauses) {
  constexpr std::size_t most = 5;
  auto out = encoding::join(clauses | std::views::take(most), "; ");
  if (clauses.size() > most) out += "; and " + std::to_string(clauses.size() - most) + " more";
  return out;
}

/// `name`: of the context, as users write it.
void judge(value const* context, std::string const& name, std::span<rule const> rules, std::vector<std::string>& out) {
  static value const nothing = value::make_object();
  auto const& judged = context ? *context : nothing;
  if (!judged.is_object()) return out.push_back(name + " is " + shortened(json::dump(judged)) + " and has to be an object");
  for (auto const& each : rules)
    if (each.required && !judged.find(each.field))
      out.push_back(name + "." + std::string(each.field) + " is missing and has to be " + std::string(each.wanted));
  for (auto const& [field, content] : *judged.as_object()) {
    auto known = std::ranges::find(rules, field, &rule::field);
    if (known != rules.end() && known->passes(content)) continue;
    out.push_back(name + "." + shortened(field) + " is " + shortened(json::dump(content)) +
                  (known == rules.end() ? " and is not a field that movers may set" : " and has to be " + std::string(known->wanted)));
  }
}

}  // namespace

std::vector<std::string> beyond_restricted(value const& pod_spec) {
  std::vector<std::string> out;
  judge(pod_spec.find("securityContext"), "mover.podSecurityContext", pod_rules, out);
  auto* containers = pod_spec.find("containers");
  if (containers && containers->as_array())
    for (auto const& each : *containers->as_array()) judge(each.find("securityContext"), "mover.securityContext", container_rules, out);
  return out;
}

outcome<void> consent(value const& ns, std::vector<std::string> const& beyond) {
  std::string const name(proto::annotation::privileged_movers);
  if (annotation(ns, name) == "true") return {};
  return refuse(proto::answer_code::Forbidden,
                "The namespace " + std::string(ns.text("metadata.name")) + " does not allow what the mover's pod would have: " +
                    joined(beyond) + ". Change this in the BackupConfig, or have the namespace annotated with " + name + ": \"true\".");
}

}  // namespace kopiur::gateway::kubernetes
