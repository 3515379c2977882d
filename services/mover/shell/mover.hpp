#pragma once
#include <string>

#include "common/app/async.hpp"
#include "services/mover/core/backend.hpp"

namespace kopiur::mover {

/// What the program was started with.
struct start {
  std::string work_file, result_file = "/dev/termination-log";
  environment variables;
  duration grace{20'000};  ///< how long kopia may finish its uploads when it is told to stop
};

/// Does the work and writes the result, whatever happens; SIGTERM, SIGINT and SIGHUP cancel. Returns the exit status: 0 when it succeeded
/// or nothing had changed.
app::awaitable<int> run(clock& time, start how);

/// Whether work can be done with the kopia that is found: `0.23.1, /usr/bin/kopia` to stdout and 0, else why not to stderr and 1.
app::awaitable<int> check_kopia(clock& time, environment variables);

}  // namespace kopiur::mover
