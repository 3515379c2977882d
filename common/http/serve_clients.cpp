#include "common/http/serve_clients.hpp"

#include <boost/asio.hpp>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"

namespace kopiur::http {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr duration pause{200}, told_for{60'000};

/// Reports the first failure, and again after a minute without any.
class failures {
 public:
  explicit failures(std::function<void(std::string)> report) : report_(std::move(report)) {}
  void note(error_code const& why, duration now) {
    bool told = last_ && now - *last_ < told_for;
    last_ = now;
    if (!told && report_)
      report_("No connection can be accepted at the moment: " + why.message() +
              ". It is tried again; if this does not end, raise the limit of open files.");
  }

 private:
  std::function<void(std::string)> report_;
  std::optional<duration> last_;
};

asio::awaitable<void> accept_all(tcp::acceptor& door, app::nursery& guests, answering by, std::function<manners()> terms,
                                 server_limits limits) {
  app::system_clock time(door.get_executor());
  auto clients = std::make_shared<client_list>(limits.clients);
  failures failed(std::move(limits.report));
  for (;;) {
    error_code why;
    auto guest = co_await door.async_accept(asio::redirect_error(asio::use_awaitable, why));
    if (why == asio::error::operation_aborted) throw boost::system::system_error(why);
    if (!why) {
      guests.spawn(attend(std::move(guest), by, terms(), clients));
    } else {
      failed.note(why, time.steady());
      clients->make_room();
      co_await time.sleep_for(pause);
    }
  }
}

}  // namespace

asio::awaitable<void> serve_clients(tcp::acceptor& door, answering by, std::function<manners()> terms, server_limits limits) {
  app::nursery all(door.get_executor());
  all.spawn(accept_all(door, all, std::move(by), std::move(terms), std::move(limits)));
  co_await all.join();
}

}  // namespace kopiur::http
