#pragma once
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "services/controller/core/actions.hpp"
#include "services/controller/core/cluster_view.hpp"

/// One kind of run, as the plan engine calls it. A system lists its plan kinds (system.hpp).
namespace kopiur::controller {

/// The possible results of preparing a due run.
struct ready {
  proto::run_plan plan;
};
struct wait {
  proto::wait_reason why;
  std::optional<instant> look_again;  ///< in addition to every change of what was read
  std::vector<ask> asks;              ///< requests that may end the wait
  std::optional<duration> at_most;    ///< then the run fails: a user has to provide what is missing. Empty: no limit
  std::string_view limit = "failurePolicy.preconditionDeadlineSeconds";  ///< the field that sets `at_most`; empty: it is fixed
};
struct refused {
  proto::run_failure failure;
};
/// There is nothing to do, which is a success (a Backup to be deleted whose snapshot is kept).
struct nothing_to_do {
  std::string why;  ///< a sentence
};
using preparation = std::variant<ready, wait, refused, nothing_to_do>;
/// A part of a plan; or the result to return while it is not available.
template <class T>
using plan_part = std::expected<T, preparation>;

/// The run holds all that it needs besides its leases.
struct secured {
  std::optional<json::value> note;  ///< what the report needs to know of it; recorded with the commit
};
using securing = std::variant<secured, wait, refused>;

/// What is left to do between the result of a run and its end.
struct follow_through {
  std::vector<ask> asks{};
  bool waits = false;  ///< something else must happen first, even without asks
  bool is_done() const { return asks.empty() && !waits; }
};

/// The run must end. `as`: no user requested the end, but something failed with this class, and `why` describes it.
struct cancellation {
  std::string why;
  std::optional<proto::failure_name> as{};
};

/// A candidate member of an occasion, while the occasion gathers its members.
struct attendant {
  enum class state {
    missing,   ///< it waits for something that does not exist, or does not exist itself yet
    prepared,  ///< it waits for a slot or a lock, to read its source directly
    ready,
    over
  };
  proto::occasion_member who;
  state is = state::missing;
  std::string name;  ///< of its Backup, or of a source without one
};

/// Whether it becomes a member once the candidates are settled.
inline bool takes_part(attendant const& one) { return one.is == attendant::state::ready || one.is == attendant::state::prepared; }

/// One kind of plan.
struct plan_kind {
  std::string_view name;
  preparation (*prepare)(cluster_view const&, proto::run_state const&);
  /// Adds to the command of the current attempt what its task needs. The engine has filled in what the plan states; nullptr: that is all.
  void (*complete_job)(proto::run_state const&, proto::create_job&) = nullptr;
  /// Whether a result may be that of the current task: a Job of this name may belong to an earlier life of the run, which the bus has lost,
  /// and have done something else. nullptr: any result may be.
  bool (*answers)(proto::run_state const&, proto::job_result const&) = nullptr;
  /// Whether the object's status already shows what it must show before the act; nullptr: nothing is required.
  bool (*receipt)(cluster_view const&, proto::run_state const&) = nullptr;
  /// Which attempt the object's status shows as committed, 0: none; nullptr: its status never shows one.
  int (*committed_before)(cluster_view const&, proto::run_state const&) = nullptr;
  /// Why the run must end, apart from the annotation on its object; nullptr: no other reason exists.
  std::optional<cancellation> (*cancel)(cluster_view const&, proto::run_state const&) = nullptr;
  /// What the run means for the status of the objects that it serves; nullptr: another service reports that.
  std::vector<object_status> (*report)(cluster_view const&, proto::run_state const&) = nullptr;
  /// Obtains what is not kopiur's and must be held before the act, such as a lock in another object, once all leases are held. nullptr:
  /// nothing is.
  securing (*secure)(cluster_view const&, proto::run_state const&) = nullptr;
  /// Keeps that from the commit until the end of the run. nullptr: it needs nothing.
  std::vector<ask> (*keep)(cluster_view const&, proto::run_state const&) = nullptr;
  /// What must still be done between the result and the end of the run, one after the other. nullptr: nothing.
  follow_through (*follow)(cluster_view const&, proto::run_state const&) = nullptr;
  /// The runs, this one included, whose hooks may have quiesced the same application; nullptr: it runs no hooks.
  std::vector<proto::run_state const*> (*sharing_hooks)(cluster_view const&, proto::run_state const&) = nullptr;
  /// The runs that read this one's facts; nullptr: none.
  std::vector<std::string> (*concerns)(cluster_view const&, proto::run_state const&) = nullptr;
  /// The current candidate members of a run that gathers; nullptr: it gathers none.
  std::vector<attendant> (*attendants)(cluster_view const&, proto::run_state const&) = nullptr;
  /// The deletion of its object, or `G/cancel-run` on it, ends the run: without the object no user learns the result.
  bool ends_with_its_object = false;
  /// Once it is over, its object may be due for runs by the clock.
  bool starts_clock = false;
  /// While it is due, a new list of snapshots may end its wait.
  bool awaits_lists = false;
  /// The runs that `concerns` names read the status of its object as well.
  bool concerns_by_status = false;
};

}  // namespace kopiur::controller
