#pragma once
#include <string>

#include "services/controller/core/system.hpp"

namespace kopiur::runtime {

/// Reads the configuration of a system from its file in `folder`, with this process's environment. nullptr: the system has none, or there
/// is no such file. Throws std::runtime_error with the line that says what is wrong.
std::shared_ptr<controller::configuration const> read_configuration(controller::system const& system, std::string const& folder);

}  // namespace kopiur::runtime
