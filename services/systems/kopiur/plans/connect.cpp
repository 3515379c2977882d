#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/identity.hpp"
#include "services/systems/kopiur/rules/suspension.hpp"

/// connect: opens a repository, or creates it if none exists and the spec allows it. discover: lists its snapshots. catalog-discovery
/// derives the repository's status from the results.
namespace kopiur::plans {

using namespace proto;

namespace {

std::optional<rules::any_repository> repository_of(cluster_view const& all, run_state const& run) {
  auto& object = run.order.object;
  auto kind = object.kind == cluster_repository::info.kind ? repository_kind::ClusterRepository : repository_kind::Repository;
  return rules::find_repository(all.objects, {.kind = kind, .name = object.name, .namespace_ = {}}, object.namespace_);
}

run_failure gone(run_state const& run) {
  return {.class_ = failure_class::InvalidWork, .message = run.order.object.kind + " " + run.order.object.name + " no longer exists."};
}

run_plan plan_over(rules::any_repository const& repository, repository_connection way, verb task) {
  run_plan plan;
  plan.serves = {repository.ref()};
  plan.namespace_ = rules::home_of(repository);
  kopia_of(plan).repository = std::move(way.access);
  kopia_of(plan).task = std::move(task);
  add_connection(plan, std::move(way));
  plan.deadline = std::chrono::hours(1);
  return plan;
}

preparation prepare_connect(cluster_view const& all, run_state const& run) {
  auto repository = repository_of(all, run);
  if (!repository || repository->meta->uid != run.order.object.uid) return refused{gone(run)};
  if (rules::is_suspended(*repository))
    return wait{.why = {"RepositorySuspended", rules::suspended_text(rules::suspension_of(*repository))}};
  auto no = all.can.pods ? std::nullopt : needs_pods(repository->spec->backend);
  if (no) return refused{{.class_ = kopia_failure::BackendMisconfigured, .message = std::move(*no)}};
  auto home = rules::home_of(*repository);
  auto way = connection_to(all.objects, *repository, home, {}, rules::bucket_use::Fill);
  if (!way) return way.error();
  auto location = location_key(way->access.backend, home);
  auto plan = plan_over(*repository, std::move(*way), connect_work{.create = repository->spec->create});
  plan.leases = {{std::move(location), lease_mode::Exclusive}};
  plan.priority = lease_priority::Manual;
  return ready{std::move(plan)};
}

preparation prepare_discover(cluster_view const& all, run_state const& run) {
  auto repository = repository_of(all, run);
  if (!repository || repository->meta->uid != run.order.object.uid) return refused{gone(run)};
  if (auto why = not_usable(all.objects, *repository)) return wait{.why = *why};
  auto way = connection_to(all.objects, *repository, rules::home_of(*repository));
  if (!way) return way.error();
  auto unique = *repository->status->unique_ID;
  auto plan = plan_over(*repository, std::move(*way), list_work{});
  plan.leases = {repository_slot(all, unique)};
  plan.priority = run.order.parameters.text(list_for) == for_restore ? lease_priority::Restore : lease_priority::Background;
  return ready{std::move(plan)};
}

/// Hash of everything that a connection depends on: when it changes, a failed connect is tried again.
std::string connect_base(cluster_view const& all, rules::any_repository const& repository) {
  std::optional<rules::given_bucket> bucket;
  if (bucket_source(repository.spec->backend))
    if (auto given = rules::bucket_of(all.objects, repository, rules::bucket_use::Keep)) bucket = std::move(*given);
  std::string secrets;
  for (auto& each : secrets_of(repository, bucket ? &*bucket : nullptr)) {
    if (each.config_map) continue;  // services do not see ConfigMaps: the next try reads it
    auto* secret = controller::find(all.objects.of<controller::secret_metadata>(), each.secret_namespace, each.secret_name);
    secrets += each.secret_name + "@" + (secret ? secret->resource_version : "-") + " ";
  }
  if (bucket) secrets += json::write(bucket->where);
  return hash::digest_hex({"connect", repository.meta->uid, std::to_string(repository.meta->generation), secrets}, 16);
}

std::string attempt_id(std::string const& base, int n) { return "connect-" + base + (n ? "-" + std::to_string(n) : ""); }

}  // namespace

tries tries_of(cluster_view const& all, std::function<std::string(int n)> const& id_of) {
  tries made;
  while (auto* next = all.run(id_of(made.count))) made.last = next, ++made.count;
  return made;
}

actions reconcile_repository(cluster_view const& all, rules::any_repository const& repository) {
  actions needs;
  if (repository.meta->deletion_timestamp || rules::is_suspended(repository)) return needs;
  auto base = connect_base(all, repository);
  auto [count, last] = tries_of(all, [&](int n) { return attempt_id(base, n); });
  if (last) {
    bool over = last->stage == run_stage::FollowThroughComplete;
    if (!over || last->outcome == run_outcome::Succeeded) return needs;
    // This failure depends on the Secret only: another Secret or spec changes the base and starts over.
    if (last->failure && last->failure->class_ == kopia_failure::PasswordMissing) return needs;
    auto again = *last->finished_at + controller::backoff(count);
    if (controller::backs_off(again, count, all.now)) {
      needs.wake = again;
      return needs;
    }
  }
  needs.orders.push_back({attempt_id(base, count), {.plan = "connect", .object = repository.ref()}});
  return needs;
}

plan_kind const connect_plan{
    .name = "connect", .prepare = prepare_connect, .complete_job = complete_kopia_job, .answers = is_kopia_answer, .starts_clock = true};
plan_kind const discover_plan{
    .name = "discover", .prepare = prepare_discover, .complete_job = complete_kopia_job, .answers = is_kopia_answer};

}  // namespace kopiur::plans
