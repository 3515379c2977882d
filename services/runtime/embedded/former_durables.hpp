#pragma once
#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "common/bus/administration.hpp"
#include "common/time/clock.hpp"

namespace kopiur::embedded {

/// Whether a durable of all clusters is still needed: a cluster has none of its own yet, or somebody used this one within the last hour.
bool is_needed(bus::consumer_state const& former, bool each_has_its_own, instant now);

/// Removes the durables that clusters shared before each had its own (proto::former_durables), unless they are needed: a cluster on this
/// bus may still run an older release. A removed one leaves nothing undone, because those of the clusters begin with all messages. Returns
/// the names. What cannot be looked up stays.
boost::asio::awaitable<std::vector<std::string>> remove_former_durables(bus::port& bus, clock& time);

}  // namespace kopiur::embedded
