#include "services/systems/kopiur/rules/run_ids.hpp"
#include "services/systems/kopiur/timed.hpp"

/// The slots of a Maintenance's quick and full runs.
namespace kopiur::plans {

using namespace proto;
using controller::last_fire;
using controller::objects;
using controller::slot_run;
using controller::timed_object;

namespace {

std::optional<std::string> unresolved(objects const&, timed_object const&) { return {}; }
std::optional<wait_reason> hold(objects const&, timed_object const&) { return {}; }
std::optional<last_fire> last_fire_of(objects const&, timed_object const&) { return {}; }
std::optional<object_ref> object_of(objects const&, timed_object const&, instant, slot_run const&) { return {}; }

std::vector<slot_run> runs(objects const&, timed_object const& timed, instant slot) {
  return {{.source = "", .run = rules::slot_run(timed.object.namespace_, timed.key, slot, "")}};
}

std::optional<run_order> order(objects const&, timed_object const& timed, instant slot, slot_run const&, bool) {
  auto parameters = json::value::make_object();
  parameters.set("full", timed.part == "full");
  return run_order{.plan = "maintain", .object = timed.object, .parameters = std::move(parameters), .slot = slot};
}

std::optional<std::string> taken(timed_object const& timed, instant slot, slot_run const&, run_state const& fact) {
  auto by_other = taken_from(timed.object, slot, fact);
  return by_other ? std::optional(*by_other + ".") : std::nullopt;
}

bool is_over(objects const&, timed_object const&, last_fire const&, slot_run const&, run_state const* fact, instant) {
  return !fact || fact->stage == run_stage::FollowThroughComplete;
}

/// No object records the result of a run without a fact, so an old run is not ordered again.
bool is_let_be(objects const&, timed_object const&, last_fire const& last, slot_run const&, instant now) {
  return now - last.slot > std::chrono::hours(1);
}

status_fragment status(objects const& all, timed_object const& timed, controller::timed_report const& from) {
  auto fragment = fragment_of(all, timed);
  auto part = json::value::make_object();
  part.set("nextScheduledAt", from.next ? json::value(to_text(*from.next)) : json::value(nullptr));
  fragment.status.set(timed.part, std::move(part));
  return fragment;
}

}  // namespace

controller::timed_kind const maintenance_slots{.unresolved = unresolved,
                                               .hold = hold,
                                               .runs = runs,
                                               .order = order,
                                               .taken = taken,
                                               .is_over = is_over,
                                               .is_let_be = is_let_be,
                                               .last_fire_of = last_fire_of,
                                               .object_of = object_of,
                                               .status = status};

}  // namespace kopiur::plans
