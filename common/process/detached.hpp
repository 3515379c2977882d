#pragma once
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/files/files.hpp"
#include "common/json/describe.hpp"

/// Processes that outlive the one that started them: each leads its own session, writes to files, and holds a lock file for its lifetime.
namespace kopiur::process {

/// Identifies a process uniquely: process ids are reused, also after a reboot.
struct identity {
  std::int64_t pid = 0;
  std::int64_t started = 0;  ///< clock ticks after the boot
  std::string boot;
  bool operator==(identity const&) const = default;
};
KOPIUR_DESCRIBE(identity, (), (pid, started, boot))

struct detached_start {
  std::vector<std::string> arguments;         ///< the first is the program; searched in PATH when it has no slash
  std::vector<std::string> environment;       ///< the complete environment
  std::filesystem::path directory, out, err;  ///< output is appended
  int lock = -1;                              ///< inherited as descriptor 3
};
/// Starts the program in a new session, with the umask that this process was started with; throws std::system_error with the program's
/// name.
identity start_detached(detached_start const& start);

/// The current process with that id; nothing when there is none.
std::optional<identity> identify(pid_t pid);
bool is_alive(identity const& who);
/// The process whose command line has `argument`; nothing when there is none. For a program whose id was not recorded before a crash.
std::optional<identity> find_by_argument(std::string const& argument);
/// Sends a signal to exactly this process; does nothing when it has ended.
void send_signal(identity const& who, int signal);
/// The live processes of the session that `leader` created, including the leader.
std::vector<pid_t> session_of(identity const& leader);
/// A descriptor that is readable once the process has ended; empty when it has already ended.
files::file watch_exit(identity const& who);

/// How a child ended, for users: `exit status 3`, `signal 9`. Nothing when it runs, or is not a child of this process.
std::optional<std::string> reap(identity const& who);

}  // namespace kopiur::process
