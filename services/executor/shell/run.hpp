#pragma once
#include "services/executor/shell/verbs.hpp"

namespace kopiur::executor {

/// Reads the arguments and does what they say, until it is done or SIGTERM or SIGINT. Returns the exit status: 0 done, 1 it failed, 2 the
/// call was wrong. The URL of an upload, or the reason of a failure, is also in the termination log: KOPIUR_TERMINATION_LOG, else
/// /dev/termination-log. The steps for OpenBao have their own: see openbao/run.hpp.
int run(int count, char** arguments, environment const& variables);

}  // namespace kopiur::executor
