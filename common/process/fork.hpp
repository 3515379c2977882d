#pragma once
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

/// The part of starting a child between fork and exec; private to this directory.
namespace kopiur::process::detail {

/// A folder to bind-mount; both paths are NUL-terminated.
struct bind {
  char const *from, *target;
};

/// All that the child needs, in memory allocated before the fork: after it only async-signal-safe calls are allowed.
struct preparation {
  std::vector<char*> arguments, environment;  ///< each ends with nullptr
  char const* directory = nullptr;            ///< nullptr: the parent's
  std::vector<int> kept;                      ///< inherited under the same number, ascending
  std::vector<bind> writable;                 ///< with `confined`: the only writable folders
  std::optional<mode_t> umask;                ///< absent: the parent's
  bool confined = false, dies_with_parent = true;
  int out = -1, err = -1;  ///< become 1 and 2
};

/// The step at which the child failed, and its errno; sent through a pipe that a successful exec closes.
struct trouble {
  char step[48];
  int error;
};

/// Forks; the child execs, or writes a `trouble` to `report` and exits. Returns the child's id, or -1 with errno.
pid_t fork_and_exec(preparation const& preparation, int report);

}  // namespace kopiur::process::detail
