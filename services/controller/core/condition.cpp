#include "services/controller/core/condition.hpp"

#include <algorithm>

namespace kopiur::controller {

proto::condition_fragment condition(std::string_view type, bool holds, std::string reason, std::string message) {
  return {.type = std::string(type), .status = holds ? "True" : "False", .reason = std::move(reason), .message = std::move(message)};
}

proto::condition const* find_condition(std::vector<proto::condition> const& all, std::string_view type) {
  auto found = std::ranges::find(all, type, &proto::condition::type);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace kopiur::controller
