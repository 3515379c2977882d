#pragma once
#include <string>

#include "common/app/async.hpp"
#include "services/mover/core/backend.hpp"

namespace kopiur::mover {

/// The program's inputs.
struct start {
  std::string work_file, result_file = "/dev/termination-log";
  environment variables;
  duration grace{20'000};  ///< how long kopia may finish its uploads after a cancellation
};

/// Does the work and always writes the result. SIGTERM, SIGINT and SIGHUP cancel. Returns the exit status: 0 when the work succeeded or
/// nothing had changed.
app::awaitable<int> run(clock& time, start start);

/// Reports whether the kopia it finds is usable: prints `0.23.1, /usr/bin/kopia` to stdout and returns 0, else the reason to stderr and 1.
app::awaitable<int> check_kopia(clock& time, environment variables);

}  // namespace kopiur::mover
