#pragma once
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>

#include "common/time/clock.hpp"

namespace kopiur::runtime {

/// Runs `serve` again whenever it fails or ends, with growing pauses (200 ms to 10 s).
boost::asio::awaitable<void> keep(clock& time, std::string name, std::function<boost::asio::awaitable<void>()> serve);

}  // namespace kopiur::runtime
