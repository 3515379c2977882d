#include "services/controller/core/run_facts.hpp"

namespace kopiur::controller {

using namespace proto;

bool is_older(run_state const& one, run_state const& than) {
  bool both = one.ordered_as && than.ordered_as;
  return both ? one.ordered_as < than.ordered_as : one.ordered_at < than.ordered_at;
}

std::set<std::string> concerned(run_state const& run) {
  std::set<std::string> ids{run.order.object.uid};
  if (run.plan) {
    for (auto& each : run.plan->serves) ids.insert(each.uid);
    ids.insert(run.plan->work.repository.unique_ID.value_or(""));
  }
  if (auto* items = run.order.parameters.find("items"); items && items->as_array())
    for (auto& item : *items->as_array()) ids.emplace(item.text("uid"));
  ids.erase("");
  return ids;
}

}  // namespace kopiur::controller
