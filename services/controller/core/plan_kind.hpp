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

/// One kind of run, as the plan engine asks it. A system lists its plan kinds (system.hpp).
namespace kopiur::controller {

/// What a plan kind says of a run that is due.
struct ready {
  proto::run_plan plan;
};
struct wait {
  proto::wait_reason why;
  std::optional<instant> look_again;  ///< besides at every change of what was read
  std::vector<ask> asks;              ///< what may end the wait
  std::optional<duration> at_most;    ///< then the run fails: something is missing that somebody has to bring. Nothing: no such end
};
struct refused {
  proto::run_failure failure;
};
/// There is nothing to do, and that is a success (a Backup to be deleted whose snapshot is kept).
struct nothing_to_do {
  std::string why;  ///< a sentence
};
using preparation = std::variant<ready, wait, refused, nothing_to_do>;
/// A part of a plan; or what is to be said while there is none.
template <class T>
using plan_part = std::expected<T, preparation>;

/// Somebody wants a run to end. `as`: nobody wanted that, but it went wrong so, and `why` is the sentence that says it.
struct cancellation {
  std::string why;
  std::optional<proto::failure_class> as{};
};

/// A run that an occasion is for, as long as it gathers.
struct attendant {
  enum class state {
    missing,   ///< it waits for something that is not there, or is itself not there yet
    prepared,  ///< it waits for a slot or a lock, to read its source as it is
    ready,
    over
  };
  proto::occasion_member who;
  state is = state::missing;
  std::string name;  ///< of its Backup, or of the source that has none
};

/// It takes part once those that an occasion is for are settled.
inline bool takes_part(attendant const& one) { return one.is == attendant::state::ready || one.is == attendant::state::prepared; }

/// One kind of plan.
struct plan_kind {
  std::string_view name;
  preparation (*prepare)(cluster_view const&, proto::run_state const&);
  /// Must the object's status show something before the act, and does it? nullptr: nothing must.
  bool (*receipt)(cluster_view const&, proto::run_state const&) = nullptr;
  /// Which attempt the object's status shows as committed, 0: none; nullptr: it shows none ever.
  int (*committed_before)(cluster_view const&, proto::run_state const&) = nullptr;
  /// Who wants the run to end, beside the annotation on its object; nullptr: nobody.
  std::optional<cancellation> (*cancel)(cluster_view const&, proto::run_state const&) = nullptr;
  /// What the run means for the status of the objects that it serves; nullptr: another service says that.
  std::vector<object_status> (*report)(cluster_view const&, proto::run_state const&) = nullptr;
  /// The runs whose hooks may have brought the same application to rest, itself among them; nullptr: it runs no hooks.
  std::vector<proto::run_state const*> (*sharing_hooks)(cluster_view const&, proto::run_state const&) = nullptr;
  /// The runs that look at this one's facts; nullptr: none.
  std::vector<std::string> (*concerns)(cluster_view const&, proto::run_state const&) = nullptr;
  /// Those that a run which gathers is for, at this moment; nullptr: it gathers none.
  std::vector<attendant> (*attendants)(cluster_view const&, proto::run_state const&) = nullptr;
  /// The deletion of its object, or `G/cancel-run` on it, ends the run: without the object nobody is told how it went.
  bool ends_with_its_object = false;
  /// Once it is over, its object may be due for runs by the clock.
  bool starts_clock = false;
  /// While it is due, a new list of snapshots may end its wait.
  bool awaits_lists = false;
  /// The runs that `concerns` names look at the status of its object as well.
  bool concerns_by_status = false;
};

}  // namespace kopiur::controller
