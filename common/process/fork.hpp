#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

/// The part of starting a child that happens between fork and exec; private to this room.
namespace kopiur::process::detail {

/// A folder to be bound, both names NUL-terminated.
struct bind {
  char const *from, *to;
};

/// What the child does, in memory made before the fork: after it only async-signal-safe calls are allowed.
struct preparation {
  std::vector<char*> arguments, environment;  ///< each ends with nullptr
  char const* directory = nullptr;            ///< nullptr: ours
  std::vector<int> kept;                      ///< inherited by the same number, ascending
  std::vector<bind> writable;                 ///< with `confined`: the only folders that can be written
  bool confined = false, dies_with_parent = true;
  int out = -1, err = -1;  ///< become 1 and 2
};

/// Where the child stopped and with which errno; sent through a pipe that a successful exec closes.
struct trouble {
  char step[48];
  int error;
};

/// Forks; the child execs or writes a `trouble` to `report` and ends. Returns the child's id, or -1 with errno.
pid_t fork_and_exec(preparation const& with, int report);

}  // namespace kopiur::process::detail
