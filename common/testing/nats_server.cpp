#include "common/testing/nats_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace kopiur::testing {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

std::string find_program() {
  if (auto* named = std::getenv("KOPIUR_NATS_SERVER")) return named;
  std::istringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(path, folder, ':');)
    if (auto file = fs::path(folder) / "nats-server"; ::access(file.c_str(), X_OK) == 0) return file;
  throw std::runtime_error("There is no nats-server on PATH and KOPIUR_NATS_SERVER does not name one: run `./dev setup`, which builds it.");
}

bool can_be_bound(int port) {
  int const socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  bool const bound = ::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  ::close(socket);
  return bound;
}

}  // namespace

int free_port() {
  static std::mt19937 dice{std::random_device{}()};
  std::uniform_int_distribution<int> below_the_kernels(11'000, 29'999);  // and above those of a node's programs
  for (int tries = 0; tries < 100; ++tries)
    if (int port = below_the_kernels(dice); can_be_bound(port)) return port;
  throw std::runtime_error("of a hundred ports of 127.0.0.1 none was free");
}

namespace {

/// Runs in the child: redirects its output, and ends it with the test.
[[noreturn]] void become(std::string const& program, std::string const& config, std::string const& log, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  char const* words[] = {program.c_str(), "-c", config.c_str(), nullptr};
  ::execv(program.c_str(), const_cast<char**>(words));
  ::_exit(127);
}

/// The kernel kills a child when its creator thread ends, not its process. So one thread creates all children, and lives as long as the
/// test.
pid_t fork_from_one_thread(std::function<pid_t()> make) {
  static boost::asio::thread_pool maker(1);
  return boost::asio::post(maker, boost::asio::use_future(std::move(make))).get();
}

}  // namespace

nats_server::nats_server(nats_server_options options) : options_(std::move(options)), port_(free_port()) {
  if (options_.program.empty()) options_.program = find_program();
  start();
}

nats_server::~nats_server() { end(SIGKILL); }

void nats_server::write_config() const {
  std::ofstream file(folder_ / "server.conf");
  file << "listen: \"127.0.0.1:" << port_ << "\"\n"
       << "ports_file_dir: \"" << folder_.path().string() << "\"\n"
       << "jetstream { store_dir: \"" << (folder_ / "store").string() << "\", max_mem: 256M, max_file: 8G }\n";
  if (!options_.user.empty()) file << "authorization { user: \"" << options_.user << "\", password: \"" << options_.password << "\" }\n";
  file << options_.config << "\n";
}

void nats_server::start() {
  if (child_) return;
  write_config();
  auto const config = (folder_ / "server.conf").string(), log_file = (folder_ / "log").string();
  auto const parent = ::getpid();
  child_ = fork_from_one_thread([&] {
    auto child = ::fork();
    if (child == 0) become(options_.program, config, log_file, parent);
    return child;
  });
  if (child_ < 0) throw std::runtime_error("cannot fork for nats-server");
  await_start();
}

void nats_server::await_start() {
  auto const ports = folder_ / (fs::path(options_.program).filename().string() + "_" + std::to_string(child_) + ".ports");
  for (auto until = std::chrono::steady_clock::now() + 30s; std::chrono::steady_clock::now() < until; std::this_thread::sleep_for(5ms)) {
    if (fs::exists(ports)) return;
    int status = 0;
    if (::waitpid(child_, &status, WNOHANG) == 0) continue;
    child_ = 0;
    throw std::runtime_error(options_.program + " ended at once: " + log());
  }
  throw std::runtime_error(options_.program + " does not listen after 30 s: " + log());
}

void nats_server::end(int signal) {
  if (!child_) return;
  ::kill(child_, SIGCONT);
  ::kill(child_, signal);
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = 0;
}

void nats_server::stop() { end(SIGTERM); }
void nats_server::kill() { end(SIGKILL); }
void nats_server::set_login(std::string user, std::string password) {
  options_.user = std::move(user);
  options_.password = std::move(password);
}
void nats_server::freeze() { ::kill(child_, SIGSTOP); }
void nats_server::thaw() { ::kill(child_, SIGCONT); }

std::string nats_server::log() const {
  std::ostringstream text;
  text << std::ifstream(folder_ / "log").rdbuf();
  return text.str();
}

}  // namespace kopiur::testing
