#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/systems/kopiur/plans/plans.hpp"

/// The Job of a run of kopia: from the plan, which may be of an older version, all that the gateway has to know.
namespace kopiur::plans {

using namespace proto;

namespace {

/// Two repositories in one cache folder lose data (field/kopia.md 6.6).
std::string cache_key(repository_access const& repository) {
  if (repository.unique_ID) return hash::digest_hex({"unique-id", *repository.unique_ID}, 32);
  return hash::digest_hex({"location", json::write(repository.backend), repository.mount}, 32);
}

/// The account by which the storage authenticates the pod. The clouds inject their parts into a pod that runs as this account.
std::optional<std::string> account_of(backend const& where) {
  return std::visit(
      [](auto const& one) -> std::optional<std::string> {
        if constexpr (requires { one.auth; })
          if (one.auth && one.auth->workload_identity) return one.auth->workload_identity->service_account_name;
        return {};
      },
      where);
}

/// Only a repository, or a volume that was created for a restore, may be given to the pod's group; never data of users.
volume_group group_of(verb const& task) {
  if (std::holds_alternative<snapshot_work>(task)) return volume_group::CacheAlone;
  return std::holds_alternative<restore_work>(task) ? volume_group::IfFresh : volume_group::Always;
}

void undo(run_state const& run, create_job& command) {
  kopia_of(command).task = json::decode<verb>(*run.plan->undo_task).value_or(sweep_work{.run = run.run});
  std::erase_if(command.volumes, [](volume_use const& each) { return each.name != repository_volume; });
}

}  // namespace

void state_needs(create_job& command) {
  auto& task = kopia_of(command);
  auto* restores = std::get_if<restore_work>(&task.task);
  for (auto& each : command.volumes) each.fills = restores && !restores->dry_run && each.name == target_volume;
  if (!command.pod) command.pod.emplace();
  auto& pod = *command.pod;
  pod.volumes = group_of(task.task);
  pod.waits_for_workload = restores;  // its workload may be deployed later; a backup needs the one that is there
  pod.service_account = account_of(task.repository->backend);
  if (pod.service_account && std::holds_alternative<azure_backend>(task.repository->backend))
    pod.labels["azure.workload.identity/use"] = "true";
  if (!pod.cache) pod.cache.emplace();
  pod.cache->key = cache_key(task.repository);
}

void complete_kopia_job(run_state const& run, create_job& command) {
  if (run.undoing) undo(run, command);
  kopia_of(command).run = run.run;
  kopia_of(command).attempt = run.attempt;
  state_needs(command);
}

bool is_kopia_answer(run_state const& run, job_result const& result) {
  auto* read = result.as<kopia_result>();
  if (!read) return false;
  bool backs_up = verb_in<snapshot_work>(*run.plan);
  return !backs_up || read->outcome != outcome::Succeeded || read->snapshot.has_value() != run.undoing;
}

}  // namespace kopiur::plans
