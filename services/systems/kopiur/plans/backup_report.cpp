#include <algorithm>

#include "common/encoding/join.hpp"
#include "proto/codec.hpp"
#include "services/controller/core/event_once.hpp"
#include "services/controller/core/run_facts.hpp"
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/standing.hpp"
#include "services/systems/kopiur/rules/timing.hpp"

/// The status of a Backup, derived from its run.
namespace kopiur::plans {

using namespace proto;

namespace {

constexpr std::string_view shrunk_reason = "Shrunk";

std::optional<backup_resolved> resolved_of(run_state const& run) {
  if (!run.plan || !run.plan->resolved) return {};
  auto pinned = json::decode<backup_resolved>(*run.plan->resolved);
  return pinned ? std::optional(std::move(*pinned)) : std::nullopt;
}

condition_fragment accepted(shrinkage const& shrunk) {
  return condition(condition_type::shrink_accepted, true, "Accepted",
                   "That snapshot " + shrunk.snapshot + " holds less than " + shrunk.predecessor + " was accepted.");
}

/// The run whose hooks quiesced its application: its occasion (nullptr if forgotten), or itself.
run_state const* with_hooks(cluster_view const& all, run_state const& run) {
  return run.plan && run.plan->occasion ? all.run(*run.plan->occasion) : &run;
}

/// The Backup has not ended while its application may still be quiesced: if the bus were lost, only the Backup would record that it must be
/// released. A member of an occasion ends with its own run. It ignores the occasion's state, which replicas see at different times.
bool lets_go_yet(run_state const& run) { return controller::has_hooks_left(run) || (run.plan && run.plan->occasion); }

backup_phase phase_of(run_state const& run, backup const& object) {
  switch (run.stage) {
    case run_stage::Due:
    case run_stage::Prepared:
    case run_stage::Committed:
      return run.attempt > 1 ? backup_phase::Running : backup_phase::Pending;
    case run_stage::Created:
      return run.attempt > 1 || run.started_at ? backup_phase::Running : backup_phase::Pending;
    case run_stage::TerminalObserved:
      if (lets_go_yet(run)) return run.attempt > 0 ? backup_phase::Running : backup_phase::Pending;
      break;
    case run_stage::FollowThroughComplete:
      break;
  }
  if (run.outcome != run_outcome::Succeeded && run.outcome != run_outcome::Unchanged) return backup_phase::Failed;
  return rules::is_held(run, &object) ? backup_phase::Held : backup_phase::Succeeded;
}

std::string amount(std::int64_t files, std::int64_t bytes) {
  return std::to_string(files) + (files == 1 ? " file, " : " files, ") + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string shrunk_text(backup const& object, shrinkage const& shrunk, backup_resolved const* pinned) {
  auto percent = pinned && pinned->policy ? std::to_string(pinned->policy->shrink_hold) : std::string("the set");
  return "Snapshot " + shrunk.snapshot + " holds " + amount(shrunk.files, shrunk.size_bytes) + ", and the one before it, " +
         shrunk.predecessor + ", " + amount(shrunk.files_before, shrunk.size_bytes_before) + ": less than " + percent +
         " % (policy.shrinkHold), so it is held. " + (shrunk.files == 0 ? "Is the volume mounted, and not excluded as a whole? " : "") +
         "If that much less is right: kopiur accept " + object.metadata.name + ", or annotate this Backup with " +
         std::string(annotation::accept_shrink) + "=" + shrunk.snapshot + ".";
}

condition_fragment ready_condition(run_state const& run, backup const& object, backup_phase phase) {
  if (phase == backup_phase::Held) {
    auto pinned = resolved_of(run);
    return condition(condition_type::ready, false, std::string(shrunk_reason),
                     shrunk_text(object, *result_of(run)->shrunk, pinned ? &*pinned : nullptr));
  }
  if (phase == backup_phase::Succeeded) {
    bool unchanged = run.outcome == run_outcome::Unchanged;
    return condition(condition_type::ready, true, unchanged ? "Unchanged" : "Succeeded",
                     unchanged ? "The source is identical to its newest snapshot; nothing new was saved."
                               : "The snapshot is saved, and a list of the repository confirms it.");
  }
  if (phase == backup_phase::Failed)
    return condition(condition_type::ready, false, std::string(run.failure ? run.failure->class_.json_text() : "Unknown"),
                     run.failure ? run.failure->message : "The run failed and did not say why.");
  if (run.cancelled)
    return condition(condition_type::ready, false, run.cancelled_as ? run.cancelled_as->json_text() : "Cancelling", *run.cancelled);
  if (run.waits) return condition(condition_type::ready, false, run.waits->reason, run.waits->message);
  if (is_terminal(run.stage))
    return condition(condition_type::ready, false, "RunningHook",
                     "The snapshot is done with; waiting for the hooks after it" +
                         std::string(run.plan && run.plan->occasion ? ", which run once all of its group are." : "."));
  bool running = phase == backup_phase::Running;
  return condition(condition_type::ready, false, running ? "Running" : "Starting",
                   running ? "The mover runs." : "The mover is being started.");
}

/// The Job is reported when its mover runs, or when it says why it does not. A report of its mere creation would cost a write per Backup
/// and help nobody.
bool tells_job(run_state const& run) {
  return run.attempt > 1 || (run.attempt == 1 && (run.started_at || run.waits || is_terminal(run.stage)));
}

/// Final progress: everything is done.
backup_progress all_of(snapshot_stats const& stats, instant now) {
  return {.percent = 100, .bytes_hashed = stats.bytes_new, .files_processed = stats.files_new + stats.files_unchanged, .updated_at = now};
}

json::value status_of(run_state const& run, backup const& object, backup_phase phase) {
  backup_status status{.phase = phase, .origin = rules::origin_of(object)};
  if (auto pinned = resolved_of(run)) status.resolved = *pinned;
  if (tells_job(run)) status.job = backup_job{run.run + "-" + std::to_string(run.attempt), run.attempt};
  if (run.started_at) status.timing = run_timing{.start_time = run.started_at};
  bool over = rules::has_ended(phase);
  auto* result = over ? result_of(run) : nullptr;
  if (result) status.shrunk = result->shrunk, status.left_out = result->left_out;
  if (result && result->snapshot) {
    status.snapshot = backup_snapshot{result->snapshot->id, result->snapshot->source};
    status.timing = run_timing{.start_time = result->snapshot->start_time, .end_time = result->snapshot->end_time};
  }
  if (over && !status.timing) status.timing = run_timing{};
  if (over && !status.timing->end_time) status.timing->end_time = run.changed_at;
  if (status.timing && status.timing->start_time && status.timing->end_time)
    status.timing->duration_seconds = rules::seconds_between(*status.timing->start_time, *status.timing->end_time);
  if (result) status.stats = result->stats;
  if (over && !run.log_tail.empty()) status.log_tail = run.log_tail;
  if (phase == backup_phase::Failed) status.failure = run.failure;
  if (rules::is_whole(phase) && status.stats) status.progress = all_of(*status.stats, run.changed_at);
  return json::encode(status);
}

/// Whether the application was quiesced while its copy was taken, or while all of it was read.
condition_fragment sources_quiesced(run_state const& run, run_state const& by) {
  auto says = [](bool good, char const* reason, std::string message) {
    return condition(condition_type::sources_quiesced, good, reason, std::move(message));
  };
  if (run.cancelled_as == failure_class::QuiesceTimeout) return says(false, "QuiesceTimeout", *run.cancelled);
  bool all = by.hooks_done == std::ssize(by.plan->before) &&
             std::ranges::none_of(by.hooks_failed, [](auto& name) { return name.starts_with("before"); });
  if (!all) return says(false, "HooksFailed", "The hooks before the snapshot did not all succeed.");
  return says(true, "HooksRan", "The hooks before the snapshot succeeded.");
}

/// Conditions of the hooks: whether all before-hooks succeeded, and whether all hooks did.
void add_hooks(run_state const& run, run_state const* by, std::vector<condition_fragment>& fragments) {
  bool took_part = by && by->plan && run.cancelled_as != failure_class::MissedOccasion;
  if (!took_part) return;
  bool any = !by->plan->before.empty() || !by->plan->after.empty();
  if (!any) {
    fragments.push_back(condition(condition_type::sources_quiesced, false, "NoHooks", "The config has no hooks."));
    fragments.push_back(condition(condition_type::hooks_succeeded, true, "NoHooks", "The config has no hooks."));
    return;
  }
  bool well = by->hooks_failed.empty();
  auto text = well ? std::string("Every hook that ran succeeded.") : "These failed: " + encoding::join(by->hooks_failed) + ".";
  fragments.push_back(sources_quiesced(run, *by));
  fragments.push_back(condition(condition_type::hooks_succeeded, well, well ? "HooksRan" : "HooksFailed", std::move(text)));
}

std::string left_out_text(left_out const& found) {
  std::vector<std::string> parts;
  if (found.placeholders > 0) parts.push_back(std::to_string(found.placeholders) + " named as kopia's own placeholders (*.kopia-entry)");
  if (found.files > 0) parts.push_back(std::to_string(found.files) + " whose names are not UTF-8, or are hidden by such a placeholder");
  auto text = parts.empty() ? std::string() : "Left out, for kopia cannot keep them: " + encoding::join(parts) + ". ";
  if (found.rules > 0)
    text += std::to_string(found.rules) + " .kopiaignore cannot be read, so none was applied, and more was saved than intended. ";
  if (found.own > 0)
    text += "Left out, for it is kopiur's own: " + std::to_string(found.own) +
            " (the repository itself, or what kopiur keeps in its data folder). ";
  return text + "Among them: " + encoding::join(found.examples) + ".";
}

/// Whether more than kopiur's own files was left out.
bool is_of_users(left_out const& found) { return found.placeholders > 0 || found.files > 0 || found.rules > 0; }

/// Conditions of the snapshot: whether it exists, and what is unusual about it.
void add_snapshot(run_state const& run, backup_phase phase, std::vector<condition_fragment>& fragments) {
  auto* result = result_of(run);
  bool has_one = result && result->snapshot;
  fragments.push_back(condition(condition_type::snapshot_created, has_one, rules::is_whole(phase) ? "Succeeded" : "Failed",
                                has_one ? "Snapshot " + result->snapshot->id + "." : "There is no snapshot."));
  if (has_one && result->snapshot->files == 0)
    fragments.push_back(condition(condition_type::empty_source, true, "Empty", "The source held no files, so the snapshot holds none."));
  if (result && result->left_out)
    fragments.push_back(condition(condition_type::names_left_out, true, is_of_users(*result->left_out) ? "NotAsTheyAre" : "OwnFiles",
                                  left_out_text(*result->left_out)));
  if (result && result->shrunk && phase == backup_phase::Succeeded) fragments.push_back(accepted(*result->shrunk));
}

std::optional<ask> warning(cluster_view const& all, backup const& object, std::string const& reason, std::string message) {
  return warn_once(all, controller::ref_of(object), object.metadata.uid + "-" + reason, reason, std::move(message), rules::end_of(object));
}

}  // namespace

std::optional<ask> warn_once(cluster_view const& all, object_ref const& object, std::string key, std::string reason, std::string message,
                             instant since) {
  constexpr duration asked_for = std::chrono::minutes(30);
  return controller::event_once(all, {object, "Warning", std::move(reason), std::move(message)}, std::move(key), since, asked_for);
}

actions reconcile_held(cluster_view const& all, backup const& object) {
  actions needs;
  auto& shrunk = *object.status.shrunk;
  auto ref = controller::ref_of(object);
  if (rules::is_accepted(object, shrunk)) {
    // If its run is known, the run's report says so; else only the object knows.
    if (all.run(backup_run_id(all, object))) return needs;
    auto ready = condition(condition_type::ready, true, "Accepted", "That it holds less than the one before it was accepted.");
    needs.statuses.push_back(
        claim_for(ref, object.metadata.generation, json::object{{"phase", "Succeeded"}}, {std::move(ready), accepted(shrunk)}));
    return needs;
  }
  if (auto event = warning(all, object, std::string(shrunk_reason),
                           shrunk_text(object, shrunk, object.status.resolved ? &*object.status.resolved : nullptr)))
    needs.asks.push_back(*std::move(event));
  return needs;
}

std::optional<ask> warn_of_names(cluster_view const& all, backup const& object) {
  if (!object.status.left_out || !is_of_users(*object.status.left_out)) return {};
  return warning(all, object, std::string(condition_type::names_left_out), left_out_text(*object.status.left_out));
}

std::vector<object_status> report_backup(cluster_view const& all, backup const& object, run_state const& run) {
  auto phase = phase_of(run, object);
  bool over = rules::has_ended(phase);
  // For a Backup that is being deleted, erase.cpp states Ready and what the deletion waits for. Two writers of Ready would overwrite each
  // other, and a run may end after the deletion began.
  std::vector<condition_fragment> conditions;
  if (!object.metadata.deletion_timestamp) conditions.push_back(ready_condition(run, object, phase));
  if (over) add_hooks(run, with_hooks(all, run), conditions);
  if (over) add_snapshot(run, phase, conditions);
  auto ref = controller::ref_of(object);
  return {claim_for(ref, object.metadata.generation, status_of(run, object, phase), std::move(conditions))};
}

}  // namespace kopiur::plans
