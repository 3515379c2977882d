#pragma once
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/json/describe.hpp"
#include "services/gateway/adapters/local/files.hpp"

/// Movers outlive us: each is the leader of a session of its own, writes to files, and holds a lock file for life.
namespace kopiur::gateway::local {

/// A process as nothing else can be mistaken for it: process ids come again, also after a restart of the machine.
struct process_identity {
  std::int64_t pid = 0;
  std::int64_t started = 0;  ///< clock ticks after the boot
  std::string boot;
  bool operator==(process_identity const&) const = default;
};
KOPIUR_DESCRIBE(process_identity, (), (pid, started, boot))

struct mover_start {
  std::vector<std::string> arguments;    ///< the first is the program, searched in PATH when it has no slash
  std::vector<std::string> environment;  ///< all of it
  fs::path directory, out, err;          ///< output is appended
  int lock = -1;                         ///< inherited as descriptor 3
};
/// Starts it in a session of its own; throws std::system_error with the program's name.
process_identity start_mover(mover_start const& how);

/// The process with that id as it is now; nothing when there is none.
std::optional<process_identity> identify(pid_t pid);
bool is_alive(process_identity const& who);
/// The process whose command line has `argument`; nothing when there is none. For a mover whose id we had no time to note.
std::optional<process_identity> find_by_argument(std::string const& argument);
/// Sends a signal to exactly this process; nothing happens when it is gone.
void send_signal(process_identity const& who, int signal);
/// Those alive in the session that `leader` made, the leader among them.
std::vector<pid_t> session_of(process_identity const& leader);
/// A descriptor that is readable once the process has ended; none when it is gone.
file watch_exit(process_identity const& who);

/// How a child of ours ended, for people: `exit status 3`, `signal 9`. Nothing when it runs, or is no child of ours.
std::optional<std::string> reap(process_identity const& who);

}  // namespace kopiur::gateway::local
