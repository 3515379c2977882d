#include <cstdlib>
#include <stdexcept>

#include "common/json/codec.hpp"
#include "services/mover-orchestration/shell/service.hpp"
#include "services/runtime/shell/runtime.hpp"

namespace {

using namespace kopiur;

template <class Choice>
Choice chosen(char const* variable, char const* usual, char const* choices) {
  auto* said = std::getenv(variable);
  auto choice = json::from_text<Choice>(said ? said : usual);
  if (!choice) throw std::runtime_error(std::string(variable) + " is \"" + said + "\": it can be " + choices + ".");
  return *choice;
}

/// Where the recipe does not say it. KOPIUR_COPY_METHOD: how claims are read: Direct (unless told), Snapshot or Clone. KOPIUR_GROUP_BY:
/// whether several that are read by Snapshot are taken at one instant: None (unless told), or VolumeGroupSnapshot.
orchestration::capabilities in_a_cluster() {
  return {.copy = chosen<proto::copy_method>("KOPIUR_COPY_METHOD", "Direct", "Direct, Snapshot or Clone"),
          .group = chosen<proto::group_by>("KOPIUR_GROUP_BY", "None", "None or VolumeGroupSnapshot"),
          .pods = true};
}

}  // namespace

int main() {
  return runtime::run<orchestration::service, orchestration::options>("mover-orchestration", [](runtime::settings const& with) {
    return orchestration::options{.cluster = with.cluster,
                                  .can = with.adapter == "kubernetes" ? in_a_cluster() : orchestration::capabilities{},
                                  .traces = with.traces};
  });
}
