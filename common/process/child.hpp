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

/// Child processes on the loop: started with exactly what is given, read as streams, waited for without threads or SIGCHLD (pidfd,
/// Linux 5.3; a confined child: 5.12).
namespace kopiur::process {

namespace asio = boost::asio;

/// A folder that a confined child may write. Where `seen_at` is given (an existing folder), that is where it finds it, and at its own path
/// it stays read-only.
struct writable_folder {
  std::string path, seen_at;
};

/// How a process is started. Nothing of the parent comes along that is not named here: no environment, no open files.
struct command {
  std::vector<std::string> arguments;    ///< the first is the path of the program (see find_program)
  std::vector<std::string> environment;  ///< all of it, `NAME=value`
  std::string directory;                 ///< working directory; empty: the parent's
  std::vector<int> inherited;            ///< descriptors that stay open under the same number (a lock that the child shall hold)
  /// Where set: the child runs in a mount namespace of its own in which everything but these folders is read-only and without devices.
  /// Needs CAP_SYS_ADMIN. They must exist.
  std::optional<std::vector<writable_folder>> only_writable;
  bool dies_with_parent = true;  ///< SIGKILL when the thread that started it ends
};

/// The program could not be started: not found, not executable, no memory, no permission for a namespace. A sentence.
struct not_started : std::runtime_error {
  not_started(std::string const& what, int error) : std::runtime_error(what), error(error) {}
  int error;  ///< errno
};

/// How a process ended.
struct ending {
  int code = 0;    ///< the exit status, 0 where a signal ended it
  int signal = 0;  ///< the signal that ended it, or 0
  bool success() const { return code == 0 && signal == 0; }
  bool operator==(ending const&) const = default;
};

/// A running process. Its group is its own. Destroying it kills the group and reaps it: nothing is left behind.
class child {
 public:
  /// Starts it; throws not_started.
  child(asio::any_io_executor loop, command const& how);
  ~child();
  child(child const&) = delete;

  asio::readable_pipe& out() { return out_; }
  asio::readable_pipe& err() { return err_; }
  pid_t id() const { return id_; }

  /// Returns once it has ended; a second call returns the same. Can be cancelled, which leaves the process running.
  asio::awaitable<ending> wait();
  /// SIGTERM to the process alone: what it started itself is its own to stop.
  void terminate();
  /// SIGKILL to its whole group.
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

/// Reads a pipe to its end and hands over the bytes as they come.
asio::awaitable<void> drain(asio::readable_pipe& from, std::function<void(std::string_view)> sink);

/// The path of an executable: `name` itself when it has a slash, else the first match in `search_path` (colons); nothing when there is
/// none.
std::optional<std::string> find_program(std::string const& name, std::string_view search_path);

}  // namespace kopiur::process
