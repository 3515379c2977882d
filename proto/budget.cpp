#include "proto/budget.hpp"

#include "common/bus/fullness.hpp"
#include "proto/subjects.hpp"

namespace kopiur::proto {

std::optional<std::string> why_no_run_begins(int percent_used) {
  if (percent_used < full_for_new_runs) return std::nullopt;
  return "The bus has used " + std::to_string(percent_used) +
         " % of its bytes for runs, so nothing new begins; what runs goes on. Give it more (nats.storage.size of the chart, --bus-store of "
         "kopiur up), or wait: runs that are over take less after an hour, and go after 90 days.";
}

std::optional<std::string> why_no_run_begins(bus::fullness const& all) {
  auto found = all.sizes().find(std::string(subjects::runs));
  auto used = found == all.sizes().end() ? std::nullopt : bus::percent_used(found->second);
  return used ? why_no_run_begins(*used) : std::nullopt;
}

}  // namespace kopiur::proto
