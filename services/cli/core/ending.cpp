#include "services/cli/core/ending.hpp"

#include <algorithm>

#include "proto/codec.hpp"
#include "services/cli/core/formatting.hpp"

namespace kopiur::cli {

using namespace proto;

namespace {

std::string why(std::vector<condition> const& conditions) {
  for (auto& one : conditions)
    if (one.type == condition_type::ready && one.status != condition_status::True && !one.message.empty()) return one.message;
  return {};
}

std::string failed_text(std::string const& what, std::optional<run_failure> const& failure, std::vector<condition> const& conditions) {
  return what + " failed: " + (failure ? failure->message : why(conditions));
}

std::optional<ending> end_of(backup const& one) {
  auto& status = one.status;
  if (status.phase == backup_phase::Failed)
    return ending{false, failed_text("Backup " + one.metadata.name, status.failure, status.conditions)};
  if (status.phase == backup_phase::Held) return ending{false, "Backup " + one.metadata.name + " is held. " + why(status.conditions)};
  if (status.phase != backup_phase::Succeeded && status.phase != backup_phase::Discovered) return {};
  std::string text = "Backup " + one.metadata.name + " succeeded";
  if (!status.snapshot) return ending{true, text + ": nothing had changed, so there is no new snapshot."};
  text += ": snapshot " + status.snapshot->kopia_snapshot_ID;
  if (status.stats) text += ", " + size_text(status.stats->size_bytes) + ", new " + size_text(status.stats->bytes_new);
  return ending{true, text + "."};
}

std::string plan_text(restore_preview const& plan) {
  auto text = "snapshot " + plan.snapshot_ID + " of " + to_text(plan.snapshot_time) + ", " + std::to_string(plan.files) + " files, " +
              size_text(plan.bytes) + ".\n  created " + std::to_string(plan.created) + ", replaced " + std::to_string(plan.replaced) +
              ", unchanged " + std::to_string(plan.unchanged) + ", deleted " + std::to_string(plan.deleted);
  if (plan.ownership_lost > 0) text += "\n  owner, group or mode cannot be kept of " + std::to_string(plan.ownership_lost) + ":";
  for (auto& each : plan.examples) text += "\n    " + each;
  return text + "\nNothing was written.";
}

std::optional<ending> end_of(restore const& one) {
  auto& status = one.status;
  if (status.phase == restore_phase::Failed)
    return ending{false, failed_text("Restore " + one.metadata.name, status.failure, status.conditions)};
  if (status.phase != restore_phase::Completed) return {};
  if (one.spec.dry_run && status.plan) return ending{true, "Restore " + one.metadata.name + " is planned: " + plan_text(*status.plan)};
  auto snapshot = status.resolved && status.resolved->snapshot_ID ? " from snapshot " + *status.resolved->snapshot_ID : std::string();
  auto text = "Restore " + one.metadata.name + " completed" + snapshot + ".";
  for (auto& each : status.resolved ? status.resolved->passed_over : std::vector<std::string>{})
    text += "\nNot taken, though newer: " + each + ".";
  return ending{true, text};
}

std::optional<ending> end_of(std::string const& name, repository_status const& status) {
  if (status.phase == repository_phase::Ready) return ending{true, "Repository " + name + " is ready."};
  if (status.phase == repository_phase::Failed) return ending{false, "Repository " + name + " failed: " + why(status.conditions)};
  return {};
}
std::optional<ending> end_of(repository const& one) { return end_of(one.metadata.name, one.status); }
std::optional<ending> end_of(cluster_repository const& one) { return end_of(one.metadata.name, one.status); }

std::optional<ending> end_of(persistent_volume_claim const& one) {
  if (one.status.phase != "Bound") return {};
  return ending{true, "PersistentVolumeClaim " + one.metadata.name + " is bound."};
}

using kinds_with_an_end = boost::mp11::mp_list<backup, restore, repository, cluster_repository, persistent_volume_claim>;
using kinds_with_a_phase = boost::mp11::mp_list<backup, restore, repository, cluster_repository>;

template <class T>
T const* find_as(controller::objects const& all, object_ref const& object) {
  return controller::find(all.of<T>(), T::info.scope == kind_scope::Cluster ? std::string() : object.namespace_, object.name);
}

struct sight {
  std::string phase;
  std::vector<condition> const* conditions = nullptr;
};

template <class E>
std::string phase_text(std::optional<E> const& phase) {
  return phase ? std::string(json::to_text(*phase)) : std::string("Pending");
}

sight look(controller::objects const& all, object_ref const& object) {
  auto seen = [&]<class T>(std::type_identity<T>) {
    auto* one = find_as<T>(all, object);
    return one ? sight{phase_text(one->status.phase), &one->status.conditions} : sight{"Pending"};
  };
  return visit_kind(kinds_with_a_phase{}, object.kind, seen, sight{"Pending"});
}

}  // namespace

std::optional<ending> ended(controller::objects const& all, object_ref const& object) {
  auto end = [&]<class T>(std::type_identity<T>) {
    auto* one = find_as<T>(all, object);
    return one ? end_of(*one) : std::nullopt;
  };
  auto* meta = controller::find_meta(all, object.kind, {object.namespace_, object.name});
  auto of_others = meta ? std::optional(ending{true, object.kind + " " + object.name + " is there."}) : std::nullopt;
  auto found = visit_kind(kinds_with_an_end{}, object.kind, end, std::move(of_others));
  if (found) found->text = harmless(found->text, "\n");
  return found;
}

std::string meanwhile(controller::objects const& all, object_ref const& object) {
  auto seen = look(all, object);
  auto reason = seen.conditions ? why(*seen.conditions) : std::string();
  return harmless(seen.phase + (reason.empty() ? "" : ": " + reason), "\n");
}

std::string run_of(controller::objects const& all, object_ref const& object) {
  for (auto& [_, job] : all.of<job>()) {
    bool over = job.status.phase == job_phase::Finished || job.status.phase == job_phase::Lost;
    auto is_it = [&](object_ref const& one) {
      return one.kind == object.kind && one.namespace_ == object.namespace_ && one.name == object.name;
    };
    if (!over && std::ranges::any_of(job.serves, is_it)) return job.run;
  }
  return {};
}

std::string progress_text(kopia_progress const& progress) {
  auto text = progress.phase.empty() ? std::string("working") : harmless(progress.phase);
  if (progress.percent)
    text += "  " + std::to_string(static_cast<int>(std::clamp(*progress.percent, 0.0, 100.0))) + "% " + bar_text(*progress.percent, 20);
  if (progress.bytes_hashed) text += "  " + size_text(progress.bytes_hashed) + (progress.phase == "restoring" ? " written" : " read");
  if (progress.bytes_uploaded) text += ", " + size_text(progress.bytes_uploaded) + " uploaded";
  if (progress.files_processed) text += ", " + std::to_string(progress.files_processed) + " files";
  return text;
}

}  // namespace kopiur::cli
