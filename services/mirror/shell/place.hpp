#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <string>

#include "common/bus/port.hpp"
#include "common/time/clock.hpp"

namespace kopiur::mirror {

/// Where a replica of a service stands: what it speaks to, and under which names. All of it outlives the replica.
struct place {
  bus::port& bus;
  clock& time;
  boost::asio::any_io_executor loop;
  std::string cluster;  ///< whose objects and runs
  std::string service;  ///< who speaks
};

}  // namespace kopiur::mirror
