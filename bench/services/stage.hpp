#pragma once
#include <sys/types.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/bus/nats_port.hpp"

/// The environment of a services bench: a bus with all its streams, filled at speed, and a service's program as a child.
namespace kopiur::bench {

namespace asio = boost::asio;

template <class T>
T must(bus::result<T> from) {
  if (!from) throw std::runtime_error(from.error().text);
  if constexpr (!std::is_void_v<T>) return *std::move(from);
}

/// A connection, with all streams and durables created.
asio::awaitable<std::unique_ptr<bus::nats_port>> open_bus(asio::io_context& loop, std::string url, std::string cluster);

/// Publishes `make(0)` to `make(count - 1)`, many concurrently.
asio::awaitable<void> publish_all(bus::port& port, int count, std::function<bus::publication(int)> make);

/// A figure of a process's memory, `VmRSS` or `VmHWM`, in MiB; 0 when it is over.
double memory_mib(pid_t id, std::string_view figure);

/// The environment variables of a service's process: the bus, the cluster, and what any process needs.
std::vector<std::string> environment(std::string const& url, std::string const& cluster);

}  // namespace kopiur::bench
