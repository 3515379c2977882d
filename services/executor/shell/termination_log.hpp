#pragma once
#include <string>

#include "services/executor/core/environment.hpp"

namespace kopiur::executor {

/// Writes to KOPIUR_TERMINATION_LOG, else /dev/termination-log; only into a file that exists: outside a container there is none.
void write_termination_log(environment const& variables, std::string const& text);

}  // namespace kopiur::executor
