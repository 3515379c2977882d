#include "services/provisioner/core/conditions.hpp"

#include "services/controller/core/condition.hpp"

namespace kopiur::provisioner {

template <class Object>
proto::status_fragment fragment_of(Object const& object, json::value status, ready_state const& state, std::int64_t observed,
                                   std::vector<exceptional> const& more) {
  proto::status_fragment fragment{.uid = object.metadata.uid, .observed_generation = observed, .status = std::move(status)};
  auto& conditions = fragment.conditions;
  conditions.push_back(controller::condition("Ready", state.ready, state.reason, state.message));
  conditions.push_back(controller::condition("Reconciling", state.working, state.working ? state.reason : "Idle", state.message));
  for (auto& each : more)
    if (each.holds || controller::find_condition(object.status.conditions, each.type))
      conditions.push_back(controller::condition(each.type, each.holds, each.reason, each.message));
  return fragment;
}

template <class Object>
std::optional<proto::record_event> event_of(Object const& object, ready_state const& state, bool warns) {
  auto* shown = controller::find_condition(object.status.conditions, "Ready");
  bool told = shown && shown->reason == state.reason && (shown->status == proto::condition_status::True) == state.ready;
  if (told) return {};
  return proto::record_event{.object = controller::ref_of(object),
                             .type = warns ? "Warning" : "Normal",
                             .reason = state.event.empty() ? state.reason : state.event,
                             .message = state.message};
}

template proto::status_fragment fragment_of(proto::buckety const&, json::value, ready_state const&, std::int64_t,
                                            std::vector<exceptional> const&);
template proto::status_fragment fragment_of(proto::buckety_access const&, json::value, ready_state const&, std::int64_t,
                                            std::vector<exceptional> const&);
template std::optional<proto::record_event> event_of(proto::buckety const&, ready_state const&, bool);
template std::optional<proto::record_event> event_of(proto::buckety_access const&, ready_state const&, bool);

}  // namespace kopiur::provisioner
