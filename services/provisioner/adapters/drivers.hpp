#pragma once
#include "common/http/pool.hpp"
#include "common/time/clock.hpp"
#include "services/provisioner/shell/driver.hpp"

namespace kopiur::provisioner {

/// The drivers of all backends on one loop; those over HTTP share one pool of connections. `time` outlives it.
driver_maker make_drivers(clock& time, boost::asio::any_io_executor loop);

}  // namespace kopiur::provisioner
