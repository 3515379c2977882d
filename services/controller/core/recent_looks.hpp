#pragma once
#include <string>

#include "services/controller/core/cluster_view.hpp"

namespace kopiur::controller {

/// Live looks that a run takes again and again, each under a name of its own, so that its answer is of that time. The answer of the look
/// before still counts: what is known is at most twice `every` old.
class recent_looks {
 public:
  recent_looks(cluster_view const& all, std::string const& run, duration every)
      : all_(all), run_(run), slot_(all.now.time_since_epoch() / every) {}

  /// The newest answer to the look `what`; nullptr: none yet. Asks for the look of this time unless that was answered.
  template <class Command>
  proto::answer const* take(std::string const& what, Command command, std::vector<ask>& asks) const {
    auto now = key(what, slot_);
    auto* said = all_.answer(Command::member, now);
    if (!said) asks.push_back({proto::gateway_command{std::move(command)}, now});
    return said ? said : all_.answer(Command::member, key(what, slot_ - 1));
  }

 private:
  std::string key(std::string const& what, std::int64_t slot) const { return run_ + "-" + what + "-" + std::to_string(slot); }

  cluster_view const& all_;
  std::string const& run_;
  std::int64_t slot_;
};

}  // namespace kopiur::controller
