#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/app/async.hpp"
#include "common/process/child.hpp"
#include "services/mover/core/commands.hpp"

namespace kopiur::mover {

namespace asio = boost::asio;
using app::awaitable;

/// The result of a command: exit, stdout unless it went to a sink, and the messages on stderr (the last 64 KiB, without frames).
struct ran {
  process::ending ending;
  std::string out, err;
};

/// Sinks for the output of a command, and its limits.
struct run_options {
  std::function<void(std::string_view)> out;                           ///< empty: stdout is collected, at most 4 MiB
  std::function<void(proto::kopia_progress const&)> progress;          ///< each frame
  std::function<void(std::string_view)> message;                       ///< each line of stderr that is not a frame, as it arrives
  std::optional<std::vector<process::writable_folder>> only_writable;  ///< see process::command
  duration limit{};                                                    ///< zero: none; then the command is killed and Unreachable thrown
  bool opens = true;                                                   ///< whether it counts as opening the repository
};

/// Runs kopia, one command at a time, with exactly the environment that set_environment() received.
class kopia {
 public:
  /// `program` is a path. `grace` is how long a command may take to end after TERM: it finishes the uploads in flight first.
  kopia(asio::any_io_executor loop, clock& time, std::string program, duration grace)
      : loop_(loop), time_(time), program_(std::move(program)), grace_(grace), stop_(loop) {}

  void set_environment(environment env) { environment_ = std::move(env); }
  /// Runs a command to its end and returns also when it fails. Throws failed_run: Cancelled when cancel() was called before it started,
  /// KopiaMissing, PermissionDenied when it cannot be confined.
  awaitable<ran> run(arguments command, run_options options = {});
  /// Runs a command that serves. When it prints a line that begins with `ready`, `use` starts; when `use` ends, the command is stopped.
  /// Returns the result of the command if it ended by itself before that; else nothing. Throws as run() does, and what `use` throws.
  awaitable<std::optional<ran>> serve(arguments command, std::string ready, awaitable<void> use);
  /// Stops the running command (TERM, and KILL after the grace), and starts no other. May be called twice.
  void cancel();
  bool cancelled() const { return cancelled_; }
  /// The last ten lines of the last command that failed, without frames; each at most 400 bytes.
  std::vector<std::string> const& last_words() const { return last_words_; }
  int opens() const { return opens_; }

 private:
  awaitable<void> guard(process::child& command);
  awaitable<ran> wait_for(process::child& command, run_options const& options);

  asio::any_io_executor loop_;
  clock& time_;
  std::string program_;
  duration grace_;
  app::event stop_;
  environment environment_;
  std::vector<std::string> last_words_;
  bool cancelled_ = false;
  int opens_ = 0;
};

}  // namespace kopiur::mover
