#pragma once
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// The parts of the plan `restore`: which snapshot, into which claim. decisions.md section 6.
namespace kopiur::plans {

/// What a Restore comes to: whose snapshot, or that there is none.
struct choice {
  rules::any_repository repository;
  proto::identity source;
  std::string snapshot;     ///< kopia's id; empty: the repository was listed and has none that is meant
  std::string backup_name;  ///< where it is one of ours
  /// As the Restore says, else as the recipe's movers are: who may read the files when they are backed up may write them when they come
  /// back.
  std::optional<proto::mover_options> mover{};
  std::string none{};                      ///< that there is none, as a sentence, with what there is
  bool held_back = false;                  ///< there are some, and none of them can be taken now: that is not none
  std::vector<std::string> passed_over{};  ///< newer ones that may not be taken, with why: clauses
};
/// `claim`: the name of the claim that is filled, for `sourcePathFrom: claimName`.
plan_part<choice> choose_snapshot(cluster_view const& all, proto::restore const& object, proto::run_state const& run,
                                  std::string const& claim);
/// For a run that waits for a snapshot that there is not: what brings a newer list.
std::optional<ask> look_for_newer(cluster_view const& all, choice const& none, proto::run_state const& run);

/// Why a run waits that has found that there is none.
inline constexpr std::string_view no_snapshot = "NoSnapshot";

/// The Restore of the run; nullptr: it is gone.
proto::restore const* restore_of(cluster_view const& all, proto::run_state const& run);
/// The user asked for it again (`restore-again`), or for the act after its dry run, before this run had found what to do: another run
/// does it.
bool is_superseded(proto::restore const& object, proto::run_state const& run);
/// It only looks at what a restore would do (`spec.dryRun`), as its plan says.
bool is_dry(proto::run_state const& run);
/// The claim that `spec.target` names; nullptr: it is not there, or the Restore is passive.
proto::persistent_volume_claim const* claim_of(cluster_view const& all, proto::restore const& object);
/// What the run restores, once that is fixed.
std::optional<proto::restore_resolved> pin_of(proto::run_state const& run);
/// Owners and modes of all that the Restore's newest runs have written; nothing: not known.
std::optional<proto::ownership_report> ownership_of(cluster_view const& all, proto::restore const& object);
/// That as a sentence.
std::string ownership_text(proto::ownership_report const& found);
/// What the run means for the status of its Restore.
std::vector<object_status> report_restore(cluster_view const& all, proto::run_state const& run);

/// The run that fills the claim of that uid (empty: the one that `spec.target` names), as often as `G/restore-again` says; of a dry run
/// the one that fills none.
std::string restore_run(proto::restore const& object, std::string const& claim_uid);

/// The claim to be filled.
struct claim_now {
  std::string name, uid;
  bool ours = false;    ///< made for this Restore, or waiting for it without a volume: nobody else has written into it
  bool filled = false;  ///< a Restore of this name has filled it already, and was not asked to do it again
};
plan_part<claim_now> target_claim(cluster_view const& all, proto::restore const& object, proto::run_state const& run);

/// The claims of the Restore's namespace that name it as their data source.
std::vector<proto::persistent_volume_claim const*> claims_served(cluster_view const& all, proto::restore const& object);
/// It has a volume, and what is on that is to stay.
bool is_bound(proto::persistent_volume_claim const& claim);
/// No Restore has filled it.
bool is_untouched(proto::persistent_volume_claim const& claim);
/// A claim that waits for its data is to be filled: nobody has done so, or this Restore has and is asked to do it again.
bool may_fill(proto::persistent_volume_claim const& claim, proto::restore const& object);
/// A Restore, of whatever uid, has filled the claim under this name, and this one does not ask for more (`G/restore-again`). Seals prove
/// it, or the Restore's status.
bool is_filled(proto::persistent_volume_claim const& claim, proto::restore const& object);
/// The claim says that it was filled, and nothing proves that kopiur wrote this: it is neither believed nor filled again by itself.
bool is_doubtful(proto::persistent_volume_claim const& claim, proto::restore const& object);
/// Writes on the claim what it holds since `at`; for a claim that waits for its data this lets it be used. Nothing where another Restore
/// has filled it since.
std::optional<ask> mark_filled(proto::persistent_volume_claim const& claim, proto::restore const& object, std::string const& snapshot,
                               instant at);

}  // namespace kopiur::plans
