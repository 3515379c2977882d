#include "services/controller/core/event_once.hpp"

namespace kopiur::controller {

std::optional<ask> event_once(cluster_view const& all, proto::record_event event, std::string key, instant since, duration within) {
  if (all.now - since > within || all.answer(proto::record_event::member, key)) return std::nullopt;
  return ask{proto::gateway_command{std::move(event)}, std::move(key)};
}

}  // namespace kopiur::controller
