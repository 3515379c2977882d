#include "services/gateway/service.hpp"

#include "services/gateway/adapters/local/admission.hpp"
#include "services/gateway/adapters/local/local_cluster.hpp"
#include "services/gateway/shell/serve.hpp"

namespace kopiur::gateway {

boost::asio::awaitable<void> service::serve() {
  local::local_settings settings{.data = how_.data,
                                 .manifests = how_.manifests,
                                 .mover = local::movers_of_host(how_.mover),
                                 .check = local::admission,
                                 .report = [tell = tell_](std::string const& sentence) {
                                   journal.warning("local", {{"what", sentence}});
                                   if (tell) tell(sentence);
                                 }};
  local::local_cluster world(co_await boost::asio::this_coro::executor, time_, std::move(settings));
  co_await gateway::serve({bus_, time_, world, how_.cluster, &counted_}, {.restore_by_request = how_.restore_by_request});
}

}  // namespace kopiur::gateway
