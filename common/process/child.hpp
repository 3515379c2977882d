#pragma once
#include <sys/types.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/readable_pipe.hpp>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/time/clock.hpp"

/// Child processes on the loop: started with exactly the given environment and files, read as streams, and awaited without threads or
/// SIGCHLD (pidfd, Linux 5.3; a confined child: 5.12).
namespace kopiur::process {

namespace asio = boost::asio;

/// A folder that a confined child may write. With `seen_at` (an existing folder) the child finds it there; at its own path it stays
/// read-only.
struct writable_folder {
  std::string path, seen_at;
};

/// How a process is started. The child inherits nothing that is not named here: no environment, no open files.
struct command {
  std::vector<std::string> arguments;    ///< the first is the program's path (see find_program)
  std::vector<std::string> environment;  ///< the complete environment, `NAME=value`
  std::string directory;                 ///< working directory; empty: the parent's
  std::vector<int> inherited;            ///< descriptors that stay open under the same number (a lock that the child must keep)
  /// When set: the child runs in a separate mount namespace in which everything except these folders is read-only and without devices.
  /// Needs CAP_SYS_ADMIN. The folders must exist.
  std::optional<std::vector<writable_folder>> only_writable;
  bool dies_with_parent = true;  ///< SIGKILL when the thread that started the child ends
  bool with_user_modes = false;  ///< a program of the user: it gets the umask that this process was started with (common/files/modes.hpp)
};

/// The program could not be started: not found, not executable, no memory, no permission for a namespace. `what()` is a sentence.
struct not_started : std::runtime_error {
  not_started(std::string const& what, int error) : std::runtime_error(what), error(error) {}
  int error;  ///< errno
};

/// How a process ended.
struct ending {
  int code = 0;    ///< the exit status; 0 when a signal ended it
  int signal = 0;  ///< the signal that ended it, or 0
  bool success() const { return code == 0 && signal == 0; }
  bool operator==(ending const&) const = default;
};

/// A running process in its own process group. Destroying it kills the group and reaps the process.
class child {
 public:
  /// Starts the process; throws not_started.
  child(asio::any_io_executor loop, command const& command);
  ~child();
  child(child const&) = delete;

  asio::readable_pipe& out() { return out_; }
  asio::readable_pipe& err() { return err_; }
  pid_t id() const { return id_; }

  /// Returns once the process has ended; a second call returns the same. Can be cancelled, which leaves the process running.
  asio::awaitable<ending> wait();
  /// Sends SIGTERM to the process alone: it must stop its own children.
  void terminate();
  /// Sends SIGKILL to the whole group.
  void kill();
  /// Terminates, waits for `grace`, then kills. Can be cancelled.
  asio::awaitable<ending> stop(clock& time, duration grace);

 private:
  void reap(int options);

  asio::readable_pipe out_, err_;
  asio::posix::stream_descriptor handle_;  // readable when the process has ended
  pid_t id_ = -1;
  std::optional<ending> ended_;
};

/// Reads a pipe to its end and passes the bytes to `sink` as they arrive.
asio::awaitable<void> drain(asio::readable_pipe& from, std::function<void(std::string_view)> sink);

/// The path of an executable: `name` itself when it contains a slash, else the first match in `search_path` (separated by colons); empty
/// when there is none.
std::optional<std::string> find_program(std::string const& name, std::string_view search_path);

}  // namespace kopiur::process
