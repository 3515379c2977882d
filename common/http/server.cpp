#include "common/http/server.hpp"

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include "common/app/async.hpp"
#include "common/http/listen.hpp"

namespace kopiur::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::use_awaitable;
using asio::ip::tcp;
using namespace std::chrono_literals;

namespace {

page answer(pages const& what, beast::http::request<beast::http::string_body> const& asked) {
  if (asked.method() != beast::http::verb::get) return {405, "only GET is served here\n"};
  auto path = std::string(asked.target().substr(0, asked.target().find('?')));
  auto found = what.find(path);
  return found == what.end() ? page{404, "there is no such page\n"} : found->second();
}

/// One connection, request after request; a client that says nothing for 30 s is let go.
asio::awaitable<void> talk(tcp::socket socket, std::shared_ptr<pages const> what) {
  beast::tcp_stream stream(std::move(socket));
  beast::flat_buffer buffer;
  try {
    for (;;) {
      stream.expires_after(30s);
      beast::http::request<beast::http::string_body> asked;
      co_await beast::http::async_read(stream, buffer, asked, use_awaitable);
      auto said = answer(*what, asked);
      beast::http::response<beast::http::string_body> out(static_cast<beast::http::status>(said.status), asked.version());
      out.set(beast::http::field::content_type, said.type);
      out.keep_alive(asked.keep_alive());
      out.body() = std::move(said.body);
      out.prepare_payload();
      co_await beast::http::async_write(stream, out, use_awaitable);
      if (!asked.keep_alive()) co_return;
    }
  } catch (boost::system::system_error const& e) {
    if (e.code() == asio::error::operation_aborted) throw;
    // The client went away or was too slow: its own business.
  }
}

asio::awaitable<void> accept(tcp::acceptor door, std::shared_ptr<pages const> what) {
  app::nursery guests(door.get_executor());
  std::exception_ptr ended;
  try {
    for (;;) {
      auto guest = co_await door.async_accept(use_awaitable);
      if (guests.alive() < 64) guests.spawn(talk(std::move(guest), what));
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
