#include "common/http/server.hpp"

#include <boost/asio.hpp>

#include "common/http/listen.hpp"
#include "common/http/serve_clients.hpp"

namespace kopiur::http {

namespace asio = boost::asio;

namespace {

asio::awaitable<page> answer(std::shared_ptr<pages const> from, asked what) {
  if (what.method != "GET") co_return page{405, "only GET is served here\n"};
  auto found = from->find(what.path);
  co_return found == from->end() ? page{404, "there is no such page\n"} : found->second();
}

}  // namespace

asio::awaitable<void> serve(std::string address, pages what, std::function<void(int port)> listening,
                            std::function<void(std::string)> report) {
  auto door = listen(co_await asio::this_coro::executor, address);
  listening(door.local_endpoint().port());
  auto all = std::make_shared<pages const>(std::move(what));
  auto by = [all](asked one) { return answer(all, std::move(one)); };
  co_await serve_clients(door, by, [] { return manners(); }, {.report = std::move(report)});
}

}  // namespace kopiur::http
