#include "services/gateway/shell/backlog.hpp"

namespace kopiur::gateway {

using namespace std::chrono_literals;

std::string why_behind(backlog const& behind, instant now) {
  constexpr duration tolerated = 30s;
  if (!behind.since || now - *behind.since <= tolerated) return "";
  return "a change of " + behind.what + " waits for " + std::to_string((now - *behind.since) / 1s) +
         " s to be published on the bus; the log says why";
}

}  // namespace kopiur::gateway
