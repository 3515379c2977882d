#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <string>
#include <vector>

#include "common/bus/port.hpp"
#include "common/time/clock.hpp"

namespace kopiur::controller {

class cluster_cache;
class lease_book;
class shared_decoder;

/// What the services of one process share; nullptr: each has its own.
struct process_shared {
  cluster_cache* cache = nullptr;
  lease_book* leases = nullptr;
  shared_decoder* decoder = nullptr;
};

/// The environment of a service's replica: the bus, the clock, the loop, and its names. All of it outlives the replica.
struct service_context {
  bus::port& bus;
  clock& time;
  boost::asio::any_io_executor loop;
  std::string cluster;  ///< the cluster whose objects and runs it handles
  std::string service;  ///< the service's name
  process_shared shared = {};
};

}  // namespace kopiur::controller
