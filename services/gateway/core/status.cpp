#include "services/gateway/core/status.hpp"

#include <algorithm>
#include <vector>

#include "proto/kinds.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {

namespace {

// A condition of a fragment, with the fragment's generation.
struct stated {
  proto::condition_fragment const* condition;
  std::int64_t generation;
  proto::source made_from;
};

json::value condition(stated const& from, json::value const* before, instant now) {
  auto const& fragment = *from.condition;
  bool stays = before && before->text("status") == fragment.status && !before->text("lastTransitionTime").empty();
  auto next = json::value::make_object();
  next.set("type", fragment.type);
  next.set("status", fragment.status);
  next.set("observedGeneration", from.generation);
  next.set("lastTransitionTime",
           stays ? std::string(before->text("lastTransitionTime")) : to_text(std::chrono::floor<std::chrono::seconds>(now)));
  next.set("reason", fragment.reason);
  next.set("message", fragment.message);
  return next;
}

json::value merged(json::value const* before, std::vector<stated> const& all, instant now) {
  auto list = before && before->as_array() ? *before->as_array() : json::array{};
  for (auto const& each : all) {
    auto there = std::ranges::find_if(list, [&](json::value const& one) { return one.text("type") == each.condition->type; });
    if (there == list.end()) {
      list.push_back(condition(each, nullptr, now));
    } else {
      *there = condition(each, &*there, now);
    }
  }
  return list;
}

// Two services should never state the same type. If they do, the one made from the newer fact wins, regardless of their order.
void state(std::vector<stated>& all, stated one) {
  auto there = std::ranges::find_if(all, [&](stated const& each) { return each.condition->type == one.condition->type; });
  if (there == all.end()) {
    all.push_back(one);
  } else if (proto::is_older(there->made_from, one.made_from)) {
    *there = one;
  }
}

}  // namespace

std::optional<json::value> compose_status(json::value const& object, status_fragments const& fragments, instant now) {
  auto* current = object.find("status");
  auto next = current && current->is_object() ? *current : json::value::make_object();
  std::vector<stated> conditions;
  std::int64_t observed = 0;
  bool found = false;
  for (auto const& [service, fragment] : fragments) {
    if (fragment.uid != uid_of(object)) continue;
    found = true;
    if (fragment.status.is_object()) json::merge(next, fragment.status);
    for (auto const& each : fragment.conditions) state(conditions, {&each, fragment.observed_generation, fragment.made_from});
    observed = std::max(observed, fragment.observed_generation);
  }
  if (!found) return std::nullopt;
  auto ready = std::ranges::find_if(conditions, [](stated const& each) { return each.condition->type == "Ready"; });
  if (ready != conditions.end()) observed = ready->generation;
  auto* kind = proto::own_kind(object.text("kind"));
  if (kind && kind->observes_generation && observed > 0) next.set("observedGeneration", observed);
  if (!conditions.empty()) next.set("conditions", merged(current ? current->find("conditions") : nullptr, conditions, now));
  if (current ? next == *current : next.as_object()->empty()) return std::nullopt;
  return next;
}

}  // namespace kopiur::gateway
