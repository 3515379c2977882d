#include "services/controller/core/condition.hpp"

namespace kopiur::controller {

proto::condition_fragment condition(std::string_view type, bool holds, std::string reason, std::string message) {
  return {.type = std::string(type), .status = holds ? "True" : "False", .reason = std::move(reason), .message = std::move(message)};
}

}  // namespace kopiur::controller
