#include "common/process/detached.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>
#include <system_error>

#include "common/encoding/number.hpp"
#include "common/files/modes.hpp"

namespace kopiur::process {

namespace {

constexpr int lock_number = 3;

void demand(int error, std::string const& what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

// The file descriptors of the child: it inherits only the lock.
class file_actions {
 public:
  explicit file_actions(detached_start const& start) {
    demand(posix_spawn_file_actions_init(&actions_), "Cannot prepare a process");
    demand(posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0), "Cannot prepare a process");
    demand(posix_spawn_file_actions_addopen(&actions_, 1, start.out.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600),
           "Cannot prepare a process");
    demand(posix_spawn_file_actions_addopen(&actions_, 2, start.err.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600),
           "Cannot prepare a process");
    demand(posix_spawn_file_actions_adddup2(&actions_, start.lock, lock_number), "Cannot prepare a process");
    demand(posix_spawn_file_actions_addclosefrom_np(&actions_, lock_number + 1), "Cannot prepare a process");
    demand(posix_spawn_file_actions_addchdir_np(&actions_, start.directory.c_str()), "Cannot prepare a process");
  }
  file_actions(file_actions const&) = delete;
  ~file_actions() { posix_spawn_file_actions_destroy(&actions_); }
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

class attributes {
 public:
  attributes() {
    demand(posix_spawnattr_init(&attributes_), "Cannot prepare a process");
    sigset_t none, all;
    sigemptyset(&none), sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    demand(posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF),
           "Cannot prepare a process");
  }
  attributes(attributes const&) = delete;
  ~attributes() { posix_spawnattr_destroy(&attributes_); }
  posix_spawnattr_t* get() { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

std::vector<char*> pointers(std::vector<std::string> const& texts) {
  std::vector<char*> out;
  for (auto const& each : texts) out.push_back(const_cast<char*>(each.c_str()));
  out.push_back(nullptr);
  return out;
}

std::string const& boot_id() {
  static std::string const id = [] {
    auto text = files::read_file("/proc/sys/kernel/random/boot_id").value_or("unknown");
    return text.substr(0, text.find('\n'));
  }();
  return id;
}

struct stat_line {
  char state = '?';
  std::int64_t session = 0, started = 0;
};

// /proc/<pid>/stat: the name in brackets may contain anything, so the fields are counted from the last bracket.
std::optional<stat_line> read_stat(std::int64_t pid) {
  auto text = [&]() -> std::optional<std::string> {
    try {
      return files::read_file("/proc/" + std::to_string(pid) + "/stat");
    } catch (std::system_error const&) {
      return std::nullopt;  // the process ended during the read
    }
  }();
  if (!text || text->rfind(')') == text->npos) return std::nullopt;
  std::istringstream fields(text->substr(text->rfind(')') + 1));
  stat_line line;
  std::int64_t parent = 0, group = 0, skipped = 0;
  fields >> line.state >> parent >> group >> line.session;
  for (int field = 7; field <= 21; ++field) fields >> skipped;
  fields >> line.started;
  return fields ? std::optional(line) : std::nullopt;
}

bool has_ended(stat_line const& line) { return line.state == 'Z' || line.state == 'X'; }

std::vector<std::int64_t> all_processes() {
  std::vector<std::int64_t> found;
  std::error_code unknown;
  for (auto const& entry : std::filesystem::directory_iterator("/proc", unknown)) {
    if (auto pid = encoding::whole_number<std::int64_t>(entry.path().filename().string())) found.push_back(*pid);
  }
  return found;
}

}  // namespace

identity start_detached(detached_start const& start) {
  file_actions files(start);
  attributes attributes;
  auto arguments = pointers(start.arguments), environment = pointers(start.environment);
  pid_t pid = -1;
  files::user_modes modes;  // the program decides for itself, and must know what the user wants
  auto error = posix_spawnp(&pid, arguments.front(), files.get(), attributes.get(), arguments.data(), environment.data());
  demand(error, "Cannot start " + start.arguments.front());
  return identify(pid).value_or(identity{pid, 0, boot_id()});
}

std::optional<identity> identify(pid_t pid) {
  auto line = read_stat(pid);
  if (!line) return std::nullopt;
  return identity{pid, line->started, boot_id()};
}

bool is_alive(identity const& who) {
  auto line = who.boot == boot_id() ? read_stat(who.pid) : std::nullopt;
  return line && line->started == who.started && !has_ended(*line);
}

std::optional<identity> find_by_argument(std::string const& argument) {
  for (auto pid : all_processes()) {
    std::optional<std::string> line;
    try {
      line = files::read_file("/proc/" + std::to_string(pid) + "/cmdline");
    } catch (std::system_error const&) {
      continue;  // the process ended during the read
    }
    if (line && line->find('\0' + argument + '\0') != line->npos) return identify(static_cast<pid_t>(pid));
  }
  return std::nullopt;
}

files::file watch_exit(identity const& who) {
  files::file handle(static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(who.pid), 0)));
  if (handle && !is_alive(who)) return {};  // checked after the open: the handle is the process that was checked
  return handle;
}

void send_signal(identity const& who, int signal) {
  if (auto handle = watch_exit(who)) ::syscall(SYS_pidfd_send_signal, handle.number(), signal, nullptr, 0);
}

std::vector<pid_t> session_of(identity const& leader) {
  std::vector<pid_t> members;
  if (leader.boot != boot_id()) return members;
  auto first = read_stat(leader.pid);
  if (first && first->started != leader.started) return members;  // the id was reused: no session with that id is ours
  for (auto pid : all_processes())
    if (auto line = read_stat(pid); line && line->session == leader.pid && !has_ended(*line)) members.push_back(static_cast<pid_t>(pid));
  return members;
}

std::optional<std::string> reap(identity const& who) {
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(who.pid), &info, WEXITED | WNOHANG) != 0 || info.si_pid == 0) return std::nullopt;
  return (info.si_code == CLD_EXITED ? "exit status " : "signal ") + std::to_string(info.si_status);
}

}  // namespace kopiur::process
