#include "services/systems/openbao/restores.hpp"

#include <algorithm>

#include "common/hash/stable_hash.hpp"

namespace kopiur::openbao {

using namespace proto;

bool is_ours(controller::objects const& all) { return all.presence_of<openbao_restore>() == kind_presence::Listed; }

openbao_restore const* restore_of(controller::objects const& all, run_state const& run) {
  auto& object = run.order.object;
  auto* found = controller::find(all.of<openbao_restore>(), object.namespace_, object.name);
  return found && found->metadata.uid == object.uid ? found : nullptr;
}

std::expected<openbao_cluster const*, kind_presence> find_cluster(controller::objects const& all, std::string const& ns,
                                                                  std::string const& name) {
  auto found = controller::find_foreign<openbao_cluster>(all, ns, name);
  if (found && *found && (*found)->metadata.deletion_timestamp) return nullptr;
  return found;
}

bool is_over(openbao_restore const& one) { return one.status.phase && is_final(*one.status.phase); }

std::string run_of(openbao_restore const& one) {
  constexpr std::size_t longest = 40;
  auto name = one.metadata.name.substr(0, longest);
  std::ranges::replace(name, '.', '-');
  while (name.ends_with('-')) name.pop_back();
  return "restore-" + name + "-" + hash::digest_hex({"openbao-restore", one.metadata.uid}, 8);
}

std::string backup_run_of(openbao_cluster const& one) {
  return "bao-backup-" + hash::digest_hex({"openbao-backup", one.metadata.uid, trigger_of(one)}, 16);
}

std::string trigger_of(openbao_cluster const& one) {
  auto asked = controller::lookup(one.metadata.annotations, annotation::trigger_backup);
  bool handled = one.status.backup && one.status.backup->last_handled_manual_trigger == asked;
  return handled ? "" : std::string(asked);
}

std::string lease_of(std::string const& cluster, std::string const& ns, std::string const& name) {
  return "openbao/" + cluster + "/" + ns + "/" + name;
}

std::string stateful_set_of(openbao_cluster const& one) {
  auto& both = one.status.blue_green;
  return one.metadata.name + (both && !both->blue_revision.empty() ? "-" + both->blue_revision : "");
}

std::string service_account_of(std::string const& cluster, std::string_view component) {
  return cluster + "-" + std::string(component) + "-serviceaccount";
}

std::optional<openbao_cluster const*> target_of(controller::objects const& all, run_state const& run) {
  for (auto& each : run.plan->serves) {
    if (each.kind != openbao_cluster::info.kind) continue;
    auto found = find_cluster(all, each.namespace_, each.name);
    if (!found && found.error() != kind_presence::NotInstalled) return std::nullopt;
    return found && *found && (*found)->metadata.uid == each.uid ? *found : nullptr;
  }
  return nullptr;
}

bool was_committed(openbao_restore const& one) {
  auto* done = one.status.execution ? &*one.status.execution : nullptr;
  return done && done->operation_ID == one.metadata.uid && done->stage && *done->stage >= bao_stage::Committed;
}

}  // namespace kopiur::openbao
