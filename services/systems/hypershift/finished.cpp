#include "services/systems/hypershift/finished.hpp"

#include <algorithm>

namespace kopiur::hypershift {

using namespace proto;

std::vector<object_ref> finished(controller::objects const& all, std::string_view kind, std::string const& ns) {
  struct entry {
    instant created;
    object_ref object;
    bool operator<(entry const& other) const { return std::tie(created, object.name) < std::tie(other.created, other.object.name); }
  };
  std::vector<entry> found;
  auto add = [&]<class T>(std::type_identity<T>) {
    for (auto& [_, one] : controller::in_namespace(all.of<T>(), ns)) {
      if (success_in(one.status.conditions) && !one.metadata.deletion_timestamp)
        found.push_back({one.metadata.creation_timestamp.value_or(instant{}), controller::ref_of(one)});
    }
    return true;
  };
  if (!is_of_another(all, kind)) visit_kind(hypershift_kinds{}, kind, add, false);
  std::ranges::sort(found, std::less());
  std::vector<object_ref> refs;
  for (auto& each : found) refs.push_back(std::move(each.object));
  return refs;
}

}  // namespace kopiur::hypershift
