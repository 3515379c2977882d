#include "common/http/server.hpp"

#include <boost/asio.hpp>

#include "common/app/async.hpp"
#include "common/http/attend.hpp"
#include "common/http/listen.hpp"

namespace kopiur::http {

namespace asio = boost::asio;
using asio::use_awaitable;
using asio::ip::tcp;

namespace {

asio::awaitable<page> answer(std::shared_ptr<pages const> from, asked what) {
  if (what.method != "GET") co_return page{405, "only GET is served here\n"};
  auto found = from->find(what.path);
  co_return found == from->end() ? page{404, "there is no such page\n"} : found->second();
}

asio::awaitable<void> accept(tcp::acceptor door, std::shared_ptr<pages const> what) {
  app::nursery guests(door.get_executor());
  std::exception_ptr ended;
  try {
    for (;;) {
      auto guest = co_await door.async_accept(use_awaitable);
      if (guests.alive() < 64) guests.spawn(attend(std::move(guest), [what](asked one) { return answer(what, std::move(one)); }, {}));
    }
  } catch (...) {
    ended = std::current_exception();
  }
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  guests.cancel();
  co_await guests.join();
  std::rethrow_exception(ended);
}

}  // namespace

asio::awaitable<void> serve(std::string address, pages what, std::function<void(int port)> listening) {
  auto door = listen(co_await asio::this_coro::executor, address);
  listening(door.local_endpoint().port());
  co_await accept(std::move(door), std::make_shared<pages const>(std::move(what)));
}

}  // namespace kopiur::http
