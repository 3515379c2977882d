#include "services/gateway/admission/borrowed_rights.hpp"

#include <algorithm>

#include "proto/kinds.hpp"
#include "proto/references.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway::kubernetes {

using json::value;

namespace {

void add_hooks(value const& config, std::string const& ns, char const* list, std::vector<borrowed_right>& borrowed_rights) {
  auto* hooks = config.at(std::string("spec.hooks.") + list);
  if (!hooks || !hooks->as_array()) return;
  for (std::size_t i = 0; i < hooks->as_array()->size(); ++i) {
    auto& hook = (*hooks->as_array())[i];
    auto field = std::string("spec.hooks.") + list + "[" + std::to_string(i) + "].";
    if (hook.find("workloadExec")) borrowed_rights.push_back({field + "workloadExec", ns, {}, {{"", "pods", "exec", "create"}}});
    if (hook.find("runJob")) borrowed_rights.push_back({field + "runJob", ns, {}, {{"batch", "jobs", "", "create"}}});
  }
}

/// The right that suffices to use one object without a pod. A token of a ServiceAccount proves a workload identity, so the right to create
/// one is enough; the right to impersonate it gives no token. Which Secret belongs to a Buckety is not known until it is made, so the right
/// to get all of them is needed.
right right_without_pod(proto::reference const& what) {
  if (what.kind == proto::secret::info.kind) return {"", "secrets", "", "get", what.name};
  if (what.kind == proto::buckety::info.kind) return {"", "secrets", "", "get"};
  return {"", "serviceaccounts", "token", "create", what.name};
}

/// A pod of a namespace can use all its Secrets, and run as any of its ServiceAccounts.
borrowed_right right_to_use(proto::reference const& what, std::string const& ns) {
  auto alone = right_without_pod(what);
  return {what.field, what.namespace_.value_or(ns), what.kind + " \"" + what.name + "\"", {{"", "pods", "", "create"}, std::move(alone)}};
}

/// Whether this part of the spec is new or changed.
bool is_other(char const* part, value const& wanted, value const* before) {
  auto* now = wanted.at(part);
  auto* former = before ? before->at(part) : nullptr;
  return now && !(former && *now == *former);
}

}  // namespace

std::string borrowed_right::text() const {
  std::string all;
  for (auto& each : sufficient) all += (all.empty() ? "" : " or ") + each.text();
  return all;
}

std::vector<borrowed_right> borrowed_rights(value const& review) {
  std::vector<borrowed_right> rights;
  auto *wanted = review.at("request.object"), *before = review.at("request.oldObject");
  if (!wanted || is_terminating(*wanted)) return rights;
  auto kind = wanted->text("kind");
  std::string ns(review.text("request.namespace"));
  if (kind == proto::backup_config::info.kind && is_other("spec.hooks", *wanted, before))
    for (auto* list : {"beforeSnapshot", "afterSnapshot"}) add_hooks(*wanted, ns, list, rights);
  auto former = before ? proto::references(kind, *before) : std::vector<proto::reference>();
  for (auto* whole : {"spec.hooks", "spec.backend"})  // an unchanged Secret may go to another address
    if (is_other(whole, *wanted, before))
      std::erase_if(former, [&](proto::reference const& one) { return one.field.starts_with(std::string(whole) + "."); });
  for (auto& each : proto::references(kind, *wanted))
    if (std::ranges::find(former, each) == former.end()) rights.push_back(right_to_use(each, ns));
  return rights;
}

}  // namespace kopiur::gateway::kubernetes
