#pragma once
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/json/describe.hpp"
#include "services/gateway/local/files.hpp"

/// Movers outlive the gateway: each leads its own session, writes to files, and holds a lock file for its lifetime.
namespace kopiur::gateway::local {

/// Identifies a process uniquely: process ids are reused, also after a reboot.
struct process_identity {
  std::int64_t pid = 0;
  std::int64_t started = 0;  ///< clock ticks after the boot
  std::string boot;
  bool operator==(process_identity const&) const = default;
};
KOPIUR_DESCRIBE(process_identity, (), (pid, started, boot))

struct mover_start {
  std::vector<std::string> arguments;    ///< the first is the program; searched in PATH when it has no slash
  std::vector<std::string> environment;  ///< the complete environment
  fs::path directory, out, err;          ///< output is appended
  int lock = -1;                         ///< inherited as descriptor 3
};
/// Starts the mover in a new session; throws std::system_error with the program's name.
process_identity start_mover(mover_start const& start);

/// The current process with that id; nothing when there is none.
std::optional<process_identity> identify(pid_t pid);
bool is_alive(process_identity const& who);
/// The process whose command line has `argument`; nothing when there is none. For a mover whose id was not recorded before a crash.
std::optional<process_identity> find_by_argument(std::string const& argument);
/// Sends a signal to exactly this process; does nothing when it has ended.
void send_signal(process_identity const& who, int signal);
/// The live processes of the session that `leader` created, including the leader.
std::vector<pid_t> session_of(process_identity const& leader);
/// A descriptor that is readable once the process has ended; empty when it has already ended.
file watch_exit(process_identity const& who);

/// How a child ended, for users: `exit status 3`, `signal 9`. Nothing when it runs, or is not a child of this process.
std::optional<std::string> reap(process_identity const& who);

}  // namespace kopiur::gateway::local
