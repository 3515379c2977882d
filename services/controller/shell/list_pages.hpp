#pragma once
#include <functional>
#include <string>
#include <vector>

#include "common/bus/port.hpp"
#include "proto/events/snapshot_list.hpp"

namespace kopiur::controller {

/// Gives the rows of a repository's newest list, one page after the other, each held no longer than `take` holds it. False: they are not
/// all there, for a newer list takes their place, or the bus has lost some; what was given is then no list, and the head is to be looked
/// at again.
boost::asio::awaitable<bool> read_list(bus::port& bus, std::string cluster, proto::snapshot_list head,
                                       std::function<void(std::vector<proto::snapshot_row>)> take);

}  // namespace kopiur::controller
