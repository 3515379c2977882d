#include "common/process/child.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio.hpp>
#include <csignal>
#include <cstring>

#include "common/app/async.hpp"
#include "common/files/modes.hpp"
#include "common/process/fork.hpp"

namespace kopiur::process {

namespace {

struct owned_fd {
  int number = -1;
  ~owned_fd() { reset(); }
  void reset() {
    if (number >= 0) ::close(number);
    number = -1;
  }
  int release() { return std::exchange(number, -1); }
};

struct pipe_ends {
  owned_fd read, write;
};

void open_pipe(pipe_ends& ends) {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) throw not_started(std::string("no pipe for a child process: ") + std::strerror(errno), errno);
  ends.read.number = fds[0];
  ends.write.number = fds[1];
}

std::vector<char*> pointers(std::vector<std::string> const& texts) {
  std::vector<char*> all;
  for (auto const& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

detail::preparation prepare(command const& command) {
  detail::preparation ready;
  ready.arguments = pointers(command.arguments);
  ready.environment = pointers(command.environment);
  if (!command.directory.empty()) ready.directory = command.directory.c_str();
  ready.kept = command.inherited;
  std::ranges::sort(ready.kept);
  ready.confined = command.only_writable.has_value();
  if (command.only_writable)
    for (auto const& folder : *command.only_writable)
      ready.writable.push_back({folder.path.c_str(), folder.seen_at.empty() ? folder.path.c_str() : folder.seen_at.c_str()});
  ready.dies_with_parent = command.dies_with_parent;
  if (command.with_user_modes) ready.umask = files::user_modes::umask();
  return ready;
}

// Empty when the exec succeeded, which closed the pipe.
std::optional<detail::trouble> hear_from(int report) {
  detail::trouble what{};
  ssize_t got = 0;
  do got = ::read(report, &what, sizeof what);
  while (got < 0 && errno == EINTR);
  if (got != sizeof what) return std::nullopt;
  return what;
}

}  // namespace

child::child(asio::any_io_executor loop, command const& command) : out_(loop), err_(loop), handle_(loop) {
  if (command.arguments.empty()) throw not_started("a child process needs the path of its program", EINVAL);
  pipe_ends out, err, report;
  open_pipe(out), open_pipe(err), open_pipe(report);
  auto ready = prepare(command);
  ready.out = out.write.number;
  ready.err = err.write.number;
  id_ = detail::fork_and_exec(ready, report.write.number);
  if (id_ < 0) throw not_started(command.arguments[0] + " could not be started: " + std::strerror(errno), errno);
  owned_fd handle{static_cast<int>(::syscall(SYS_pidfd_open, id_, 0))};  // the wrapper of glibc 2.36 lacks extern "C"
  out.write.reset(), err.write.reset(), report.write.reset();
  if (auto what = hear_from(report.read.number)) {
    ::waitpid(id_, nullptr, 0);
    throw not_started(command.arguments[0] + " could not be started (" + what->step + "): " + std::strerror(what->error), what->error);
  }
  if (handle.number < 0) {
    kill();
    ::waitpid(id_, nullptr, 0);
    throw not_started("this kernel has no pidfd_open, which is needed to wait for a child: Linux 5.3 or newer", ENOSYS);
  }
  handle_.assign(handle.release());
  out_.assign(out.read.release());
  err_.assign(err.read.release());
}

child::~child() {
  if (ended_ || !handle_.is_open()) return;
  kill();
  reap(0);
}

void child::reap(int options) {
  siginfo_t info{};
  int result = 0;
  do result = ::waitid(P_PIDFD, static_cast<id_t>(handle_.native_handle()), &info, WEXITED | options);
  while (result != 0 && errno == EINTR);
  if (result != 0 || info.si_pid == 0) return;
  ended_ = info.si_code == CLD_EXITED ? ending{info.si_status, 0} : ending{0, info.si_status};
  ::kill(-id_, SIGKILL);  // processes that it left in its group
}

asio::awaitable<ending> child::wait() {
  while (!ended_) {
    co_await handle_.async_wait(asio::posix::stream_descriptor::wait_read, asio::use_awaitable);
    reap(WNOHANG);
  }
  co_return *ended_;
}

void child::terminate() {
  if (!ended_) ::kill(id_, SIGTERM);
}

void child::kill() {
  if (!ended_) ::kill(-id_, SIGKILL);
}

asio::awaitable<ending> child::stop(clock& time, duration grace) {
  terminate();
  try {
    auto to_the_end = [](child& self) -> asio::awaitable<void> { co_await self.wait(); };
    co_await app::within(time, grace, to_the_end(*this), "the child did not end in time");
  } catch (app::timed_out const&) {
    kill();
  }
  co_return co_await wait();
}

asio::awaitable<void> drain(asio::readable_pipe& from, std::function<void(std::string_view)> sink) {
  std::array<char, 16 * 1024> buffer;
  for (;;) {
    boost::system::error_code failed;
    auto got = co_await from.async_read_some(asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, failed));
    if (got > 0) sink({buffer.data(), got});
    if (failed == asio::error::eof) co_return;
    if (failed) throw boost::system::system_error(failed);
  }
}

std::optional<std::string> find_program(std::string const& name, std::string_view search_path) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? std::optional(name) : std::nullopt;
  while (!search_path.empty()) {
    auto end = search_path.find(':');
    auto path = std::string(search_path.substr(0, end)) + "/" + name;
    if (::access(path.c_str(), X_OK) == 0) return path;
    search_path.remove_prefix(end == std::string_view::npos ? search_path.size() : end + 1);
  }
  return std::nullopt;
}

}  // namespace kopiur::process
