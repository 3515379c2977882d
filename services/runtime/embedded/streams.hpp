#pragma once
#include <boost/asio/awaitable.hpp>
#include <string>

#include "common/bus/port.hpp"

namespace kopiur::embedded {

/// Creates all streams and durables on a bus that belongs to this process. Throws std::runtime_error with a sentence.
/// `store`: the bytes that they may take together (bus_server).
boost::asio::awaitable<void> make_streams(bus::port& bus, std::string cluster, std::int64_t store);

}  // namespace kopiur::embedded
