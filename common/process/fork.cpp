#include "common/process/fork.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace kopiur::process::detail {

namespace {

// Only async-signal-safe calls from here on: another thread of the parent may have held malloc's lock at the fork.
[[noreturn]] void give_up(int report, char const* step) {
  trouble what{};
  what.error = errno;
  ::strncpy(what.step, step, sizeof what.step - 1);
  [[maybe_unused]] auto sent = ::write(report, &what, sizeof what);
  ::_exit(127);
}

bool set_attributes(char const* path, unsigned flags, unsigned long set, unsigned long clear) {
  mount_attr change{};
  change.attr_set = set;
  change.attr_clr = clear;
  return ::mount_setattr(AT_FDCWD, path, flags, &change, sizeof change) == 0;
}

// Creates a mount namespace in which everything is read-only and without devices, except the named folders and /dev/null. So a link in a
// writable folder that points outside reaches nothing writable.
void confine(preparation const& preparation, int report) {
  if (::unshare(CLONE_NEWNS) != 0) give_up(report, "unshare a mount namespace");
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) give_up(report, "make the mounts private");
  for (auto const& folder : preparation.writable)
    if (::mount(folder.from, folder.target, nullptr, MS_BIND | MS_REC, nullptr) != 0) give_up(report, "bind a writable folder");
  if (::mount("/dev/null", "/dev/null", nullptr, MS_BIND, nullptr) != 0) give_up(report, "bind /dev/null");
  if (!set_attributes("/", AT_RECURSIVE, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV, 0)) give_up(report, "make the mounts read-only");
  for (auto const& folder : preparation.writable)
    if (!set_attributes(folder.target, AT_RECURSIVE, 0, MOUNT_ATTR_RDONLY)) give_up(report, "make a folder writable");
  if (!set_attributes("/dev/null", 0, 0, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV)) give_up(report, "make /dev/null writable");
}

void connect_streams(preparation const& preparation, int report) {
  int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0) give_up(report, "open /dev/null");
  if (::dup2(nothing, 0) < 0 || ::dup2(preparation.out, 1) < 0 || ::dup2(preparation.err, 2) < 0) give_up(report, "connect the streams");
}

// Closes descriptors that the parent's libraries opened without O_CLOEXEC.
void close_the_rest(preparation const& preparation, int report) {
  unsigned from = 3;
  for (int kept : preparation.kept) {
    auto number = static_cast<unsigned>(kept);
    if (number > from && ::close_range(from, number - 1, CLOSE_RANGE_CLOEXEC) != 0) give_up(report, "close the other files");
    if (::fcntl(kept, F_SETFD, 0) != 0) give_up(report, "keep a file open");
    from = number + 1;
  }
  if (::close_range(from, ~0U, CLOSE_RANGE_CLOEXEC) != 0) give_up(report, "close the other files");
}

void default_signals() {
  for (int number : {SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGCHLD}) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void become(preparation const& preparation, int report, pid_t parent) {
  if (::setpgid(0, 0) != 0) give_up(report, "make a process group");
  if (preparation.dies_with_parent) {
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up(report, "tie its life to ours");
    if (::getppid() != parent) ::_exit(127);  // the parent ended before the prctl
  }
  if (preparation.umask) ::umask(*preparation.umask);
  default_signals();
  connect_streams(preparation, report);
  if (preparation.confined) confine(preparation, report);
  if (preparation.directory && ::chdir(preparation.directory) != 0) give_up(report, "enter its folder");
  close_the_rest(preparation, report);
  ::execve(preparation.arguments.front(), preparation.arguments.data(), preparation.environment.data());
  give_up(report, "execute");
}

}  // namespace

pid_t fork_and_exec(preparation const& preparation, int report) {
  auto parent = ::getpid();
  auto id = ::fork();
  if (id == 0) become(preparation, report, parent);
  return id;
}

}  // namespace kopiur::process::detail
