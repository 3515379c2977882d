#include <boost/asio.hpp>

#include "services/executor/shell/openbao/members.hpp"
#include "services/executor/shell/openbao/steps.hpp"

namespace kopiur::executor::openbao {

using namespace std::chrono_literals;

boost::asio::awaitable<report> settle(surroundings here, settle_settings what) {
  report known;
  auto members = members::open(here.time, co_await boost::asio::this_coro::executor, what.cluster);
  if (!members) co_return report{.code = members.error().code, .message = members.error().message};
  co_await (*members)->settle(what.limit, 3s, known.members);
  if (known.members->all == voters::state::healthy) {
    known.message = "All members of OpenBao are healthy.";
    co_return known;
  }
  known.code = status::unsettled;
  known.message = sentence_for(*known.members, what.cluster.stateful_set) + " They were awaited for " + to_text(what.limit) + ".";
  co_return known;
}

}  // namespace kopiur::executor::openbao
