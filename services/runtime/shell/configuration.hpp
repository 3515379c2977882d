#pragma once
#include <span>
#include <string>

#include "services/controller/core/system.hpp"

namespace kopiur::runtime {

/// The configurations of these systems, each from its file in `folder`, with this process's environment; those without a file are missing.
/// Throws std::runtime_error with the line that says what is wrong.
controller::configurations read_configurations(std::span<controller::system const* const> systems, std::string const& folder);

}  // namespace kopiur::runtime
