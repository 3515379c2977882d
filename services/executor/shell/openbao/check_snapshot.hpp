#pragma once
#include "services/executor/shell/openbao/staged_file.hpp"

namespace kopiur::executor::openbao {

/// Why the staged file is not a whole snapshot, whose checksums are right: a clause; empty: it is. Reads all of it, and blocks.
std::string snapshot_problem(staged_file const& file);

}  // namespace kopiur::executor::openbao
