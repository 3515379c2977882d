#pragma once
#include "proto/buckety/buckety.hpp"

/// The words of Buckety's objects that have a fixed set of values.
namespace kopiur::buckety {

using role = proto::access_role;
using retention_policy = proto::resource_retention;
using adoption = proto::resource_adoption;
using provenance = proto::resource_provenance;

}  // namespace kopiur::buckety
