#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/testing/folder.hpp"
#include "proto/kopiur/kopia_task.hpp"

/// A test fixture that runs the real mover with the real kopia: a temporary folder, a repository in it, and helpers to read the results.
namespace kopiur::mover::test {

namespace fs = std::filesystem;

/// What a program printed, and its exit status (128 + signal number if a signal ended it).
struct printed {
  int status = -1;
  std::string out, err;
};
using variables = std::map<std::string, std::string>;
/// Called with the process id and all of stdout so far, whenever there is more output.
using watcher = std::function<void(int id, std::string const& out)>;
/// Runs a program to its end.
printed run_program(std::vector<std::string> arguments, variables const& environment, watcher watch = {});

/// The path of a program: the variable's value, or `name` on PATH. Fails the test with a sentence when neither exists.
std::string required_program(std::string const& variable, std::string const& name);

void write_file(fs::path const& path, std::string const& content);
/// Random bytes, so that no repository contains them yet.
void write_random(fs::path const& path, std::size_t megabytes);
std::string read_all(fs::path const& path);
/// Type, mode, modification time (ns), and content or link target of everything below, by relative path: to compare trees. Omits the time
/// of a subfolder that is not empty: kopia restores it with the newest time in it.
std::map<std::string, std::string> tree_of(fs::path const& root);

/// The result of one run of the mover.
struct ended {
  int status = -1;
  proto::kopia_result result;
  std::string result_text, out, err;
  std::vector<proto::snapshot_row> rows;
  proto::failure_name failed() const { return result.failure ? result.failure->class_ : proto::failure_name(); }
};
void PrintTo(ended const& what, std::ostream* out);

struct run_as {
  std::string run = "run-1";
  int attempt = 1;
  variables environment{};
  watcher watch{};
};

class lab : public ::testing::Test {
 protected:
  lab();

  ended run(proto::verb task, run_as run_as = {});
  /// Connects and creates; stores the unique id.
  void create_repository();
  ended snapshot(run_as run_as = {}, proto::snapshot_policy policy = {});
  /// Plain kopia, connected to the lab's repository (a filesystem one) with its own config.
  printed kopia(std::vector<std::string> arguments);
  /// A kopia limited to this many bytes per second; pass its path as KOPIUR_KOPIA.
  std::string slow_kopia(int bytes_per_second);
  std::vector<proto::snapshot_row> list();
  /// From here on the mover runs as an unprivileged user who may access everything that exists so far.
  void become_nobody();

  testing::folder folder_;
  fs::path root_ = folder_.path(), source_, target_;
  proto::repository_access access_;
  proto::identity identity_{"app", "prod", "/pvc/data"};
  variables environment_;
  std::string kopia_;
  std::string mover_;  ///< our own program
  /// Prepended to the command line of the mover: `unshare -m`, a shell that mounts something first.
  std::vector<std::string> wrapper_;

 private:
  bool connected_ = false;
};

}  // namespace kopiur::mover::test
