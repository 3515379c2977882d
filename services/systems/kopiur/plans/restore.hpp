#pragma once
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// The parts of the plan `restore`: which snapshot, into which claim. decisions.md section 6.
namespace kopiur::plans {

/// The choice of a Restore: the snapshot and its identity, or that there is none.
struct choice {
  rules::any_repository repository;
  proto::identity source;
  std::string snapshot;     ///< kopia's id; empty: the list of the repository has no matching snapshot
  std::string backup_name;  ///< if kopiur has a Backup object for it
  /// The Restore's options, else those of the config, because a user who may read the files during the backup may write them back.
  std::optional<proto::mover_options> mover{};
  std::string none{};                      ///< if there is none: a sentence that says so and what there is
  bool held_back = false;                  ///< there are some, but none may be chosen now: that does not count as none
  std::vector<std::string> passed_over{};  ///< newer snapshots that were skipped, with reasons: clauses
};
/// `claim`: the name of the claim to fill, for `sourcePathFrom: claimName`.
plan_part<choice> choose_snapshot(cluster_view const& all, proto::restore const& object, proto::run_state const& run,
                                  std::string const& claim);
/// For a run that waits for a snapshot to appear: the order of a newer list.
std::optional<ask> look_for_newer(cluster_view const& all, choice const& none, proto::run_state const& run);

/// Wait reason of a run that found no snapshot.
inline constexpr std::string_view no_snapshot = "NoSnapshot";

/// The Restore of the run; nullptr: it does not exist any more.
proto::restore const* restore_of(cluster_view const& all, proto::run_state const& run);
/// The user requested it again (`restore-again`), or the restore after its dry run, before this run had a plan: another run does it.
bool is_superseded(proto::restore const& object, proto::run_state const& run);
/// It is a dry run (`spec.dryRun`), according to its plan.
bool is_dry(proto::run_state const& run);
/// The claim that `spec.target` names; nullptr: it does not exist, or the Restore is passive.
proto::persistent_volume_claim const* claim_of(cluster_view const& all, proto::restore const& object);
/// What the run restores, once it is pinned.
std::optional<proto::restore_resolved> pin_of(proto::run_state const& run);
/// Ownership report over everything that the Restore's newest runs have written; nothing: not known.
std::optional<proto::ownership_report> ownership_of(cluster_view const& all, proto::restore const& object);
/// The report as a sentence.
std::string ownership_text(proto::ownership_report const& found);
/// The status of a Restore, derived from the run.
std::vector<object_status> report_restore(cluster_view const& all, proto::run_state const& run);

/// Id of the run that fills the claim of that uid (empty: the claim in `spec.target`), one per value of `G/restore-again`; for a dry run
/// the id of the run that fills none.
std::string restore_run(proto::restore const& object, std::string const& claim_uid);

/// The claim to be filled.
struct claim_now {
  std::string name, uid;
  bool ours = false;    ///< created for this Restore, or waiting for it without a volume: no other writer has used it
  bool filled = false;  ///< a Restore of this name has filled it, and no repetition was requested
};
plan_part<claim_now> target_claim(cluster_view const& all, proto::restore const& object, proto::run_state const& run);

/// The claims of the Restore's namespace that name it as their data source.
std::vector<proto::persistent_volume_claim const*> claims_served(cluster_view const& all, proto::restore const& object);
/// It has a volume, whose content must be kept.
bool is_bound(proto::persistent_volume_claim const& claim);
/// No Restore has filled it.
bool is_untouched(proto::persistent_volume_claim const& claim);
/// A claim that waits for its data may be filled: no Restore has done so, or this one has and is asked to repeat it.
bool may_fill(proto::persistent_volume_claim const& claim, proto::restore const& object);
/// A Restore of this name (of any uid) has filled the claim, and this one requests no repetition (`G/restore-again`). Proven by seals or by
/// the Restore's status.
bool is_filled(proto::persistent_volume_claim const& claim, proto::restore const& object);
/// The claim says that it was filled, but nothing proves that kopiur wrote this: it is neither trusted nor filled again automatically.
bool is_doubtful(proto::persistent_volume_claim const& claim, proto::restore const& object);
/// Records on the claim what it contains since `at`; this makes a claim that waited for its data usable. Nothing if another Restore has
/// filled it since.
std::optional<ask> mark_filled(proto::persistent_volume_claim const& claim, proto::restore const& object, std::string const& snapshot,
                               instant time);

}  // namespace kopiur::plans
