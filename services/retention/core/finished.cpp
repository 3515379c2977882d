#include "services/retention/core/finished.hpp"

namespace kopiur::retention {

std::vector<expired> beyond(std::vector<proto::object_ref> const& all, std::size_t keep) {
  std::vector<expired> going;
  for (std::size_t i = 0; i + keep < all.size(); ++i)
    going.push_back({all[i], "not among the newest " + std::to_string(keep) + " that succeeded"});
  return going;
}

}  // namespace kopiur::retention
