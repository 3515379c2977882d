#include <cstdlib>
#include <stdexcept>

#include "common/json/codec.hpp"
#include "services/mover-orchestration/shell/service.hpp"
#include "services/runtime/shell/runtime.hpp"

namespace {

using namespace kopiur;

/// KOPIUR_COPY_METHOD: how claims are read in a cluster where the recipe does not say it: Direct (unless told), Snapshot or Clone.
orchestration::capabilities in_a_cluster() {
  auto* said = std::getenv("KOPIUR_COPY_METHOD");
  auto method = json::from_text<proto::copy_method>(said ? said : "Direct");
  if (!method) throw std::runtime_error("KOPIUR_COPY_METHOD is \"" + std::string(said) + "\": it can be Direct, Snapshot or Clone.");
  return {.copy = *method, .pods = true};
}

}  // namespace

int main() {
  return runtime::run<orchestration::service, orchestration::options>("mover-orchestration", [](runtime::settings const& with) {
    return orchestration::options{.cluster = with.cluster,
                                  .can = with.adapter == "kubernetes" ? in_a_cluster() : orchestration::capabilities{},
                                  .traces = with.traces};
  });
}
