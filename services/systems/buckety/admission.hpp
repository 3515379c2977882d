#pragma once
#include "services/controller/core/system.hpp"

namespace kopiur::buckety {

/// Whether judge() checks objects of this kind.
bool judges(std::string_view kind);
/// Checks a manifest by the configuration: its backend, its name, its parameters. A new object has to name a backend that there is; an
/// update may name one that is gone. A stamped name is not resolved again, so labels may change. An access is only warned about a Buckety
/// that does not exist. Without a configuration nothing is known, and the provisioner reports it in the status.
controller::verdict judge(controller::submission const& wanted);

}  // namespace kopiur::buckety
