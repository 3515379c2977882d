#include "services/mirror/core/condition.hpp"

namespace kopiur::mirror {

proto::condition_claim condition(std::string_view type, bool holds, std::string reason, std::string message) {
  return {.type = std::string(type), .status = holds ? "True" : "False", .reason = std::move(reason), .message = std::move(message)};
}

}  // namespace kopiur::mirror
