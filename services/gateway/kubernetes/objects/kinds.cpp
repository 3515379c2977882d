#include "services/gateway/kubernetes/objects/kinds.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <set>

#include "common/encoding/join.hpp"
#include "proto/kinds.hpp"

namespace kopiur::gateway::kubernetes {

namespace {

constexpr std::string_view always_on = "kopiur";
constexpr std::string_view watching = "list watch", all_of_ours = "get list watch create patch delete";
constexpr std::string_view minting = "patch";  // on Secrets, where a system's objects own some
constexpr std::string_view granting = "get list create delete",
                           with_grants = "hypershift openbao";  // what a plan grants to the pods of its Job
constexpr std::array others{
    used_resource{{proto::core_namespace::info.kind, "v1", "namespaces"}, "get list watch", {}, {}, {}, {}},
    used_resource{{proto::secret::info.kind, "v1", "secrets"}, "get list watch create delete", {}, {}, "get create", "update"},
    used_resource{{proto::config_map::info.kind, "v1", "configmaps"}, "get", {}, {}, "get create patch", {}},
    used_resource{{"Event", "v1", "events"}, "list create", {}, {}, {}, {}},
    used_resource{kopiur::kubernetes::pods, "get list watch delete", "log", "get", {}, {}},
    used_resource{{"PodExecOptions", "v1", "pods/exec"}, "get create", {}, {}, {}, {}},  // hooks; a GET over a WebSocket
    used_resource{{"Service", "v1", "services"}, "get", {}, {}, {}, {}},                 // target of an HTTP hook
    used_resource{{"EndpointSlice", "discovery.k8s.io/v1", "endpointslices"}, "list", {}, {}, {}, {}},
    used_resource{{proto::persistent_volume::info.kind, "v1", "persistentvolumes"}, "get list watch patch", {}, {}, {}, {}},
    used_resource{
        {proto::persistent_volume_claim::info.kind, "v1", "persistentvolumeclaims"}, "get list watch create patch delete", {}, {}, {}, {}},
    used_resource{{"VolumeSnapshot", "snapshot.storage.k8s.io/v1", "volumesnapshots"}, "get list create delete", {}, {}, {}, {}},
    used_resource{{"VolumeSnapshotContent", "snapshot.storage.k8s.io/v1", "volumesnapshotcontents"}, "get patch", {}, {}, {}, {}},
    used_resource{{"VolumeGroupSnapshot", "groupsnapshot.storage.k8s.io/v1", "volumegroupsnapshots"}, "get create delete", {}, {}, {}, {}},
    used_resource{
        {"VolumeGroupSnapshotContent", "groupsnapshot.storage.k8s.io/v1", "volumegroupsnapshotcontents"}, "get patch", {}, {}, {}, {}},
    used_resource{{proto::storage_class::info.kind, "storage.k8s.io/v1", "storageclasses"}, watching, {}, {}, {}, {}},
    used_resource{{"Deployment", "apps/v1", "deployments"}, "get list", {}, {}, {}, {}},  // the user of their pods
    used_resource{{"StatefulSet", "apps/v1", "statefulsets"}, "get list", {}, {}, {}, {}},
    used_resource{{"Job", "batch/v1", "jobs"}, "get list watch create patch", {}, {}, {}, {}},
    used_resource{{"SubjectAccessReview", "authorization.k8s.io/v1", "subjectaccessreviews"}, "create", {}, {}, {}, {}},
    used_resource{{"SelfSubjectReview", "authentication.k8s.io/v1", "selfsubjectreviews"}, "create", {}, {}, {}, {}},
    used_resource{kopiur::kubernetes::leases, {}, {}, {}, "get create update", {}},
    used_resource{{"Role", "rbac.authorization.k8s.io/v1", "roles"}, granting, {}, {}, {}, {}, with_grants},
    used_resource{{"RoleBinding", "rbac.authorization.k8s.io/v1", "rolebindings"}, granting, {}, {}, {}, {}, with_grants},
    used_resource{{"NetworkPolicy", "networking.k8s.io/v1", "networkpolicies"}, granting, {}, {}, {}, {}, with_grants},
    used_resource{{"ServiceAccount", "v1", "serviceaccounts"}, "get create", {}, {}, {}, {}, "openbao"},
    used_resource{{"ValidatingWebhookConfiguration", "admissionregistration.k8s.io/v1", "validatingwebhookconfigurations"},
                  {},
                  {},
                  {},
                  {},
                  "get update"},
};

constexpr auto ours = [] {
  constexpr auto kinds = proto::infos_of(proto::own_kinds{});
  std::array<used_resource, kinds.size()> made;
  for (std::size_t i = 0; i < made.size(); ++i) {
    // What the pod of a restore is granted, the gateway has to have.
    auto on_status = kinds[i].kind == proto::openbao_restore::info.kind ? "update patch" : "update";
    made[i] = {{kinds[i].kind, kinds[i].api_version, kinds[i].plural}, all_of_ours, "status", on_status, {}, {},
               kinds[i].system == always_on ? "" : kinds[i].system};
  }
  return made;
}();

constexpr auto foreign = [] {
  constexpr auto kinds = proto::infos_of(proto::foreign_kinds{});
  std::array<used_resource, kinds.size()> made;
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i] = {{kinds[i].kind, kinds[i].api_version, kinds[i].plural}, watching, {}, {}, {}, {}, kinds[i].system};
    // The status of the first two tells of the newest snapshot of etcd; that of the last has the operation lock.
    bool is_told = kinds[i].kind == proto::hosted_cluster::info.kind || kinds[i].kind == proto::hosted_control_plane::info.kind ||
                   kinds[i].kind == proto::openbao_cluster::info.kind;
    if (is_told) made[i].verbs = "get list watch", made[i].part = "status", made[i].part_verbs = "update";
  }
  return made;
}();

constexpr auto known = [] {
  std::array<used_resource, ours.size() + foreign.size() + others.size()> all;
  std::ranges::copy(others, std::ranges::copy(foreign, std::ranges::copy(ours, all.begin()).out).out);
  return all;
}();

/// Empty when there are no verbs.
std::string rule_for(used_resource const& resource, std::string_view part, std::string_view verbs) {
  if (verbs.empty()) return {};
  auto slash = resource.group_version.find('/');
  std::string group(slash == std::string_view::npos ? "" : resource.group_version.substr(0, slash));
  std::string names(resource.plural), listed;
  if (!part.empty()) names.append("/").append(part);
  for (auto verb : verbs | std::views::split(' ')) listed += (listed.empty() ? "" : ", ") + std::string(verb.begin(), verb.end());
  return "- {apiGroups: [\"" + group + "\"], resources: [" + names + "], verbs: [" + listed + "]}\n";
}

/// Each line four columns to the right.
std::string indented(std::string_view lines) {
  std::string out;
  for (auto line : lines | std::views::split('\n'))
    if (!line.empty()) out += "    " + std::string(line.begin(), line.end()) + "\n";
  return out;
}

/// The definitions that are read for a system (empty: kopiur itself), by name: of foreign kinds, and of ours that another operator may
/// serve. Empty when there are none.
std::string definitions_rule(std::string_view system) {
  auto of_it = known | std::views::filter([&](used_resource const& one) { return one.is_for(system) && proto::has_state(one.kind); });
  auto names = encoding::join(of_it, ", ", [](resource const& each) { return kopiur::kubernetes::definition_name(each); });
  if (names.empty()) return {};
  return "- {apiGroups: [\"apiextensions.k8s.io\"], resources: [customresourcedefinitions], resourceNames: [" + names +
         "], verbs: [get]}\n";
}

std::string rules_for(used_resource const& one) { return rule_for(one, {}, one.verbs) + rule_for(one, one.part, one.part_verbs); }

/// `system`: empty: what every install needs.
std::string rules_of(std::string_view system, bool without_namespace) {
  std::string rules;
  for (auto& each : known)
    if (each.is_for(system) && is_cluster_scoped(each.kind) == without_namespace) rules += rules_for(each);
  return rules;
}

/// What a system needs that the chart can switch off.
std::string optional_rules(std::string_view system) {
  static constexpr auto kinds = proto::infos_of(proto::own_kinds{});
  auto is_of_it = [&](proto::kind_info const& one) { return one.system == system; };
  auto served = rules_of(system, false);
  if (std::ranges::any_of(kinds, [&](auto& one) { return is_of_it(one) && one.mints_secrets; }))
    served += rule_for(*resource_of(proto::secret::info.kind), {}, minting);
  auto group = proto::group_of(*std::ranges::find_if(kinds, is_of_it));
  auto names = encoding::join(kinds | std::views::filter(is_of_it), ", ", &proto::kind_info::plural);
  std::string rules = "  " + std::string(system) + ":\n    group: " + std::string(group) + "\n    kinds: [" + names + "]\n";
  for (auto& [name, list] : {std::pair("cluster", rules_of(system, true) + definitions_rule(system)), std::pair("served", served)})
    rules += "    " + std::string(name) + (list.empty() ? ": []\n" : ":\n" + indented(list));
  return rules;
}

std::string optional_systems() {
  std::string rules;
  std::set<std::string_view> done{"", always_on};
  for (auto& each : proto::infos_of(proto::own_kinds{}))
    if (done.insert(each.system).second) rules += optional_rules(each.system);
  return rules;
}

}  // namespace

bool used_resource::is_for(std::string_view system) const {
  if (system.empty()) return systems.empty();
  return std::ranges::any_of(systems | std::views::split(' '),
                             [&](auto one) { return std::string_view(one.begin(), one.end()) == system; });
}

used_resource const* resource_of(std::string_view kind) {
  auto found = std::ranges::find(known, kind, &resource::kind);
  return found == known.end() ? nullptr : &*found;
}

std::string rules_yaml() {
  std::string own, named;
  for (auto& each : known) own += rule_for(each, {}, each.own_verbs), named += rule_for(each, {}, each.named_verbs);
  return "# Made from the table in services/gateway/kubernetes/objects/kinds.cpp; do not edit.\ncluster:  # kinds without a namespace\n" +
         rules_of({}, true) + definitions_rule({}) + "served:  # where kopiur works\n" + rules_of({}, false) +
         "own:  # in the gateway's own namespace\n" + own +
         "named:  # of one object each, by the name that the chart gives it: the webhook's certificates\n" + named +
         "systems:  # each only where it is switched on\n" + optional_systems();
}

}  // namespace kopiur::gateway::kubernetes
