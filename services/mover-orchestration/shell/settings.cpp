#include "services/mover-orchestration/shell/settings.hpp"

#include <cstdlib>
#include <stdexcept>

#include "common/json/codec.hpp"

namespace kopiur::mover_orchestration {

namespace {

template <class Choice>
Choice chosen(char const* variable, char const* usual, char const* choices) {
  auto* said = std::getenv(variable);
  auto choice = json::from_text<Choice>(said ? said : usual);
  if (!choice) throw std::runtime_error(std::string(variable) + " is \"" + said + "\": it can be " + choices + ".");
  return *choice;
}

duration seconds_of(char const* variable, duration usual) {
  auto* said = std::getenv(variable);
  return said ? std::chrono::seconds(runtime::number_from_1(variable, said)) : usual;
}

controller::capabilities in_a_cluster() {
  return {.copy = chosen<proto::copy_method>("KOPIUR_COPY_METHOD", "Direct", "Direct, Snapshot or Clone"),
          .group = chosen<proto::group_by>("KOPIUR_GROUP_BY", "None", "None or VolumeGroupSnapshot"),
          .pod_start = seconds_of("KOPIUR_POD_START_SECONDS", controller::capabilities{}.pod_start),
          .pods = true};
}

}  // namespace

options options_of(runtime::settings const& settings) {
  return {.cluster = settings.cluster,
          .can = settings.adapter == "kubernetes" ? in_a_cluster() : controller::capabilities{},
          .traces = settings.traces};
}

}  // namespace kopiur::mover_orchestration
