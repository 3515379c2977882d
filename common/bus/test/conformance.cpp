#include "common/bus/test/conformance.hpp"

#include <boost/asio.hpp>
#include <iterator>

namespace kopiur::bus::conformance {

namespace {

template <class From, class T>
asio::awaitable<void> take(From& from, std::optional<T>& value) {
  value = co_await from.next();
}

template <class T, class From>
asio::awaitable<std::optional<T>> next_within(stage& stage, From& from, duration limit) {
  std::optional<T> got;
  try {
    co_await app::within(stage.time(), limit, take(from, got), "nothing came");
  } catch (app::timed_out const&) {  // `got` is empty then
  }
  co_return got;
}

}  // namespace

asio::awaitable<std::optional<delivery>> soon(stage& stage, worker& from, duration limit) {
  return next_within<delivery>(stage, from, limit);
}
asio::awaitable<std::optional<feed_item>> soon(stage& stage, feed& from, duration limit) {
  return next_within<feed_item>(stage, from, limit);
}
asio::awaitable<std::optional<stored>> soon(stage& stage, listener& from, duration limit) {
  return next_within<stored>(stage, from, limit);
}

asio::awaitable<bool> eventually(stage& stage, std::function<asio::awaitable<bool>()> holds) {
  for (int look = 0; look < 200; ++look) {
    if (co_await holds()) co_return true;
    co_await stage.time().sleep_for(duration(50));
  }
  co_return false;
}

stream_config plain(std::string name) { return {.name = name, .subjects = {name + ".>"}, .memory = true}; }

stream_config queue(std::string name) {
  auto config = plain(std::move(name));
  config.retention = stream_config::retention_policy::workqueue;
  return config;
}

consumer_config durable(std::string stream) {
  return {.stream = std::move(stream), .name = "workers", .backoff = {std::chrono::seconds(1)}};
}

std::vector<named_check> checks() {
  std::vector<named_check> all;
  for (auto part : {publish_checks(), work_checks(), feed_checks(), config_checks()}) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace kopiur::bus::conformance
