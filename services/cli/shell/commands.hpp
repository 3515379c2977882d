#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <stdexcept>
#include <string>

/// The command line: `kopiur VERB`. Exit codes for scripts: 0 done, 1 it failed, 2 the call was wrong, 3 kopiur is not running, 4 not
/// found, 5 timed out while waiting.
namespace kopiur::cli {

enum exit_code : int { done = 0, failed = 1, usage = 2, not_running = 3, not_found = 4, timed_out = 5 };

/// Ends a verb: a sentence for stderr, and the exit code.
struct complaint : std::runtime_error {
  complaint(exit_code exit, std::string const& sentence) : std::runtime_error(sentence), code(exit) {}
  exit_code code;
};

int run(int argc, char** argv);

/// Runs a coroutine on a new loop until it ends, or until SIGINT or SIGTERM cancels it (then it returns 128 + the signal's number, unless
/// `on_signal` is given). An exception's text goes to stderr as one sentence.
int drive(std::function<boost::asio::awaitable<int>(boost::asio::io_context&)> make, int on_signal = -1);

}  // namespace kopiur::cli
