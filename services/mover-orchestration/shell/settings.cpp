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

/// A number from 1.
std::int64_t number_of(char const* variable, std::int64_t usual) {
  auto* said = std::getenv(variable);
  return said ? runtime::number_from_1(variable, said) : usual;
}

std::string text_of(char const* variable) {
  auto* said = std::getenv(variable);
  return said ? said : "";
}

controller::capabilities in_a_cluster() {
  constexpr auto usual_seconds = std::chrono::duration_cast<std::chrono::seconds>(controller::usual_pod_start).count();
  return {.copy = chosen<proto::copy_method>("KOPIUR_COPY_METHOD", "Direct", "Direct, Snapshot or Clone"),
          .group = chosen<proto::group_by>("KOPIUR_GROUP_BY", "None", "None or VolumeGroupSnapshot"),
          .pod_start = std::chrono::seconds(number_of("KOPIUR_POD_START_SECONDS", usual_seconds)),
          .operator_namespace = text_of("KOPIUR_NAMESPACE"),
          .etcd_store_endpoint = text_of("KOPIUR_ETCD_STORE_ENDPOINT"),
          .restart_voters = text_of("KOPIUR_OPENBAO_RESTART_VOTERS") == "true",
          .pods = true};
}

}  // namespace

options options_of(runtime::settings const& settings) {
  auto can = settings.adapter == "kubernetes" ? in_a_cluster() : controller::capabilities{};
  can.movers_per_repository = number_of("KOPIUR_MOVERS_PER_REPOSITORY", can.movers_per_repository);
  return {.cluster = settings.cluster, .can = can, .traces = settings.traces};
}

}  // namespace kopiur::mover_orchestration
