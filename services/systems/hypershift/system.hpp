#pragma once
#include "services/controller/core/system.hpp"

namespace kopiur {

/// Snapshots of the etcd of HyperShift's hosted control planes.
extern controller::system const hypershift_system;

}  // namespace kopiur
