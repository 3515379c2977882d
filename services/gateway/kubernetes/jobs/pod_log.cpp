#include "services/gateway/kubernetes/jobs/pod_log.hpp"

#include "common/app/async.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"

namespace kopiur::gateway::kubernetes {

awaitable<log_end> read_log(client& api, object_key pod, std::string container, mover_output& into) {
  auto lines = co_await api.stream({.path = path_of(*resource_of("Pod"), pod, "log"),
                                    .query = {{"container", std::move(container)}, {"follow", "true"}},
                                    .accept = "*/*"});
  if (!lines) co_return lines.error().code == failure::not_found ? log_end::Absent : log_end::Broken;
  try {
    while (auto line = co_await (*lines)->line()) into.take(*line);
  } catch (std::exception const&) {
    if (app::is_cancelled(std::current_exception())) throw;
    co_return log_end::Broken;
  }
  into.finish();
  co_return log_end::Whole;
}

}  // namespace kopiur::gateway::kubernetes
