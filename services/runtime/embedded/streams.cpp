#include "services/runtime/embedded/streams.hpp"

#include <boost/asio.hpp>
#include <stdexcept>

#include "common/app/async.hpp"
#include "proto/streams.hpp"

namespace kopiur::embedded {

namespace asio = boost::asio;

namespace {

template <class Config>
asio::awaitable<void> make_one(bus::port& bus, Config what) {
  auto made = co_await bus.ensure(what);
  if (!made) throw std::runtime_error("The bus refuses " + what.name + ": " + made.error().text);
}

}  // namespace

/// All streams concurrently, then all durables: each costs the server a few disk writes.
asio::awaitable<void> make_streams(bus::port& bus, std::string cluster, std::int64_t store) {
  app::nursery streams(co_await asio::this_coro::executor), consumers(co_await asio::this_coro::executor);
  for (auto& each : proto::streams(1, store)) streams.spawn(make_one(bus, std::move(each)));
  co_await streams.join();
  for (auto& each : proto::consumers(cluster)) consumers.spawn(make_one(bus, std::move(each)));
  co_await consumers.join();
}

}  // namespace kopiur::embedded
