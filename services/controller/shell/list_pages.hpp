#pragma once
#include <functional>
#include <string>
#include <vector>

#include "common/bus/port.hpp"
#include "proto/events/snapshot_list.hpp"

namespace kopiur::controller {

/// Reads the rows of a repository's newest list and passes them to `take` page by page, so only one page is in memory. False: the pages are
/// not complete, because a newer list replaces them or the bus lost some. Then discard the rows and read the head again.
boost::asio::awaitable<bool> read_list(bus::port& bus, std::string cluster, proto::snapshot_list head,
                                       std::function<void(std::vector<proto::snapshot_row>)> take);

}  // namespace kopiur::controller
