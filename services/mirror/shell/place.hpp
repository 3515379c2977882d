#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <string>
#include <vector>

#include "common/bus/port.hpp"
#include "common/time/clock.hpp"

namespace kopiur::mirror {

class sight;

/// Where a replica of a service stands: what it speaks to, and under which names. All of it outlives the replica.
struct place {
  bus::port& bus;
  clock& time;
  boost::asio::any_io_executor loop;
  std::string cluster;        ///< whose objects and runs
  std::string service;        ///< who speaks
  sight* together = nullptr;  ///< what the services of its process see together; none: it has a sight of its own
};

/// All kinds but those that only the engine looks at: Jobs, volumes, Secrets.
inline std::vector<std::string> const what_people_write{"Repository",  "ClusterRepository",     "BackupConfig",
                                                        "Backup",      "BackupSchedule",        "Restore",
                                                        "Maintenance", "PersistentVolumeClaim", "Namespace"};

}  // namespace kopiur::mirror
