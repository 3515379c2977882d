#pragma once
#include "proto/codec.hpp"
#include "services/controller/test/stage.hpp"
#include "services/systems/openbao/plans/backup.hpp"
#include "services/systems/openbao/plans/restore.hpp"
#include "services/systems/openbao/plans/settle.hpp"
#include "services/systems/openbao/reconcile.hpp"

namespace kopiur::openbao::test {

using namespace proto;
using namespace std::chrono_literals;

/// One cluster with one restore, and what the gateway has answered.
class scene : public controller::test::stage {
 public:
  openbao_cluster* cluster = nullptr;
  openbao_restore* wanted = nullptr;
  run_state run;

  scene() {
    now = instant(1'800'000'000s), can = {.pods = true};
    objects.listed = true;
    for (auto* kind : {"OpenBaoRestore", "OpenBaoCluster"}) objects.presences[kind] = kind_presence::Listed;
    cluster = &objects.of<openbao_cluster>()[{"team", "vault"}];
    cluster->metadata.name = "vault", cluster->metadata.namespace_ = "team", cluster->metadata.uid = "cluster";
    cluster->status.initialized = true;
    wanted = &add("back", "u1");
    for (auto* each : {"vault-tls-ca", "keys", "bao-token"}) objects.of<controller::secret_metadata>()[{"team", each}] = {.uid = each};
    run = {.run = run_of(*wanted), .cluster = "c", .order = {.plan = "openbao-restore", .object = controller::ref_of(*wanted)}};
    run.ordered_at = now;
    hold_lease(run.run);
  }
  openbao_restore& add(std::string const& name, std::string const& uid) {
    auto& one = objects.of<openbao_restore>()[{"team", name}];
    one.kind = "OpenBaoRestore", one.metadata.name = name, one.metadata.namespace_ = "team", one.metadata.uid = uid;
    one.metadata.finalizers = {std::string(finalizer::openbao_restore)};
    one.spec = {
        .cluster = "vault",
        .source = {.key = "team/vault/a.snap",
                   .target = {.endpoint = "https://store.example", .bucket = "bao", .credentials_secret_ref = bao_secret_ref{"keys"}}},
        .token_secret_ref = bao_secret_ref{"bao-token"}};
    return one;
  }
  void hold_lease(std::string const& who) {
    leases["openbao/c/team/vault"] = {.key = "openbao/c/team/vault", .holders = {{"c", who, lease_mode::Exclusive, now + 120s, 1}}};
  }
  void lock(std::string operation, std::string holder, instant renewed) {
    cluster->status.operation_lock = bao_operation_lock{
        .operation = std::move(operation), .holder = std::move(holder), .message = "m", .acquired_at = renewed, .renewed_at = renewed};
  }
  job& add_job(std::string const& run_id, std::string const& object) {
    auto& one = objects.of<job>()[{"team", run_id + "-1"}];
    one.run = run_id, one.namespace_ = "team", one.uid = run_id;
    one.serves = {{"OpenBaoRestore", "team", object, ""}, controller::ref_of(*cluster)};
    one.status.phase = job_phase::Running;
    return one;
  }
  controller::plan_kind const& kind() const { return run.order.plan == backup_plan.name ? backup_plan : restore_plan; }
  controller::preparation prepare() const { return kind().prepare(view(), run); }
  run_plan planned() const { return std::get<controller::ready>(prepare()).plan; }
  std::string said() const {
    auto all = prepare();
    if (auto* no = std::get_if<controller::refused>(&all)) return "refused: " + no->failure.message;
    if (auto* wait = std::get_if<controller::wait>(&all)) return wait->why.reason + ": " + wait->why.message;
    return "ready";
  }

  // The operation lock, as the live object has it. `live` is what the gateway finds.
  controller::securing secure() const { return kind().secure(view(), run); }
  /// Carries out a swap as the gateway does, and keeps its answer.
  void perform(controller::ask const& one) {
    auto* swap = std::get_if<swap_status>(&std::get<gateway_command>(one.what));
    if (!swap || swap->path != std::vector<std::string>{"operationLock"}) return;
    auto& live = cluster->status.operation_lock;
    auto found = live ? json::encode(*live) : json::value();
    bool as_expected = swap->expect.is_null() ? !live
                                              : live && found.text("holder") == swap->expect.text("holder") &&
                                                    found.text("operation") == swap->expect.text("operation");
    answer out;
    if (swap->whatever || as_expected)
      live = swap->set.is_null() ? std::nullopt : std::optional(json::decode<bao_operation_lock>(swap->set).value());
    else
      out = {.code = answer_code::Conflict, .message = "It is not as expected.", .object = found};
    answers["swap-status " + one.key] = std::move(out);
  }
  /// Takes the lock, with what the gateway answers; empty: it is held. Else why not.
  std::string take() {
    for (int i = 0; i < 4; ++i) {
      auto said = secure();
      if (auto* held = std::get_if<controller::secured>(&said)) {
        run.secured = held->note;
        return "";
      }
      if (auto* no = std::get_if<controller::refused>(&said)) return "refused: " + no->failure.message;
      auto& wait = std::get<controller::wait>(said);
      if (wait.asks.empty()) return wait.why.reason + ": " + wait.why.message;
      for (auto& each : wait.asks) {
        if (std::holds_alternative<read_object>(std::get<gateway_command>(each.what))) return wait.why.reason + ": " + wait.why.message;
        perform(each);
      }
    }
    return "never";
  }
  void commit() {
    run.plan = planned();
    run.stage = run_stage::Committed, run.attempt = 1, run.committed_at = run.prepared_at = now;
  }
  void claim(std::string digest = "sha256:d") {
    wanted->status.submission_claim = bao_submission_claim{.pod_UID = "p", .digest = std::move(digest), .size = 7};
  }
  /// The Job is over.
  void end(int exit_status, std::string text) {
    if (!run.plan) commit();
    bool good = exit_status == 0;
    pod_report result{
        .run = run.run, .outcome = good ? outcome::Succeeded : outcome::Failed, .exit_status = exit_status, .text = std::move(text)};
    if (!good) result.failure = run_failure{.class_ = failure_class::ContainerFailed, .message = "The container restore failed."};
    run.failure = result.failure;
    run.result = job_result(result);
    run.stage = run_stage::TerminalObserved, run.outcome = good ? run_outcome::Succeeded : run_outcome::Failed;
    run.observed_at = run.changed_at = now;
    answers["read-object " + proof_key(run)] = {};
  }
  /// The missing Job, or one that ended without a result.
  void lose() {
    if (!run.plan) commit();
    run.stage = run_stage::TerminalObserved, run.outcome = run_outcome::Unknown, run.changed_at = now;
    run.failure = run_failure{.class_ = failure_class::MoverLost, .message = "The mover was lost."};
    answers["read-object " + proof_key(run)] = {};
  }
  verdict is() const { return verdict_of(view(), run); }
  json::value status() const { return report(view(), run).at(0).fragment.status; }
};

}  // namespace kopiur::openbao::test
