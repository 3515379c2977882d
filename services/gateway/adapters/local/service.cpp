#include "services/gateway/service.hpp"

#include <cstdlib>

#include "services/gateway/adapters/local/admission.hpp"
#include "services/gateway/adapters/local/local_cluster.hpp"
#include "services/gateway/shell/serve.hpp"

namespace kopiur::gateway {

namespace {

// Of our own environment a mover gets these alone.
std::vector<std::string> mover_environment(std::vector<std::string> more) {
  std::vector<std::string> all;
  for (auto* name : {"PATH", "HOME", "TMPDIR", "KOPIUR_KOPIA", "SSL_CERT_FILE", "SSL_CERT_DIR", "TZ"})
    if (auto* value = std::getenv(name)) all.push_back(std::string(name) + "=" + value);
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return all;
}

}  // namespace

boost::asio::awaitable<void> service::serve() {
  local::local_settings settings{.data = how_.data,
                                 .manifests = how_.manifests,
                                 .mover = {.program = how_.mover, .environment = mover_environment(how_.mover_environment)},
                                 .check = local::admission,
                                 .report = [](std::string const& sentence) { journal.warning("local", {{"what", sentence}}); }};
  local::local_cluster world(co_await boost::asio::this_coro::executor, time_, std::move(settings));
  co_await gateway::serve({bus_, time_, world, how_.cluster}, {.restore_by_request = how_.restore_by_request});
}

}  // namespace kopiur::gateway
