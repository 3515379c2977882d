#include "services/gateway/kubernetes/jobs/pod_log.hpp"

#include "common/app/async.hpp"
#include "common/process/lines.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"

namespace kopiur::gateway::kubernetes {

namespace {
constexpr std::size_t read_at_once = 16 << 10;
}  // namespace

awaitable<log_end> read_log(client& api, object_key pod, std::string container, mover_output& into) {
  auto log = co_await api.stream({.path = path_of(*resource_of("Pod"), pod, "log"),
                                  .query = {{"container", std::move(container)}, {"follow", "true"}},
                                  .accept = "*/*"});
  if (!log) co_return log.error().code == failure::not_found ? log_end::Absent : log_end::Broken;
  process::line_splitter lines([&into](std::string_view line) { into.take(line); });
  std::string part(read_at_once, '\0');
  try {
    while (auto length = co_await (*log)->more(boost::asio::buffer(part))) {
      into.count(length);
      lines.feed(std::string_view(part).substr(0, length));
      if (into.is_too_large()) co_return log_end::TooLarge;
    }
  } catch (std::exception const&) {
    if (app::is_cancelled(std::current_exception())) throw;
    co_return log_end::Broken;
  }
  lines.finish();
  into.finish();
  co_return log_end::Whole;
}

}  // namespace kopiur::gateway::kubernetes
