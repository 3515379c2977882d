#include "services/runtime/embedded/bus_server.hpp"

#include <fcntl.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/app/async.hpp"
#include "common/encoding/hex.hpp"
#include "common/json/codec.hpp"
#include "common/json/describe.hpp"
#include "common/json/described.hpp"
#include "common/process/child.hpp"

namespace kopiur::embedded {

KOPIUR_DESCRIBE(bus_access, (), (url, user, password))
static_assert(json::wholly_described<bus_access>);

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

int free_port() {
  asio::io_context loop;
  asio::ip::tcp::acceptor probe(loop, {asio::ip::address_v4::loopback(), 0});
  return probe.local_endpoint().port();
}

std::string random_hex(int bytes) {
  std::string raw(static_cast<std::size_t>(bytes), '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(raw.data()), bytes) != 1)
    throw std::runtime_error("The system gives no random bytes, so no password can be made for the bus.");
  return encoding::hex(raw);
}

/// Writes with mode 0600 and by rename: no other user can read it, and no process sees a partial file.
void write_private(std::string const& path, std::string const& text) {
  auto fresh = path + ".new";
  int fd = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  bool written = fd >= 0 && ::fchmod(fd, 0600) == 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (fd >= 0) ::close(fd);
  if (!written || ::rename(fresh.c_str(), path.c_str()) != 0)
    throw std::runtime_error("Cannot write " + path + ": " + std::generic_category().message(errno) +
                             ". Is the data folder yours, and is there room?");
}

}  // namespace

std::expected<bus_access, std::string> read_access(std::string const& data) {
  auto path = data + "/bus/access.json";
  std::ifstream in(path);
  if (!in) return std::unexpected("No kopiur runs on " + data + " (" + path + " cannot be read). Start it with: kopiur up --data " + data);
  std::stringstream text;
  text << in.rdbuf();
  auto read = json::read<bus_access>(text.str());
  if (!read) return std::unexpected(path + " is damaged: " + read.error().text() + ". Start kopiur up again.");
  return *read;
}

std::expected<std::string, std::string> find_bus_server() {
  auto* named = std::getenv("KOPIUR_NATS_SERVER");
  auto* path = std::getenv("PATH");
  auto server = process::find_program(named ? named : "nats-server", path ? path : "/usr/local/bin:/usr/bin:/bin");
  if (server) return *server;
  return std::unexpected(
      "nats-server is not on PATH. Install version 2.11 or newer, or run ./dev setup, which builds it, and set KOPIUR_NATS_SERVER to its "
      "path.");
}

bus_server::bus_server(clock& time, asio::any_io_executor loop, std::string data, std::string program)
    : time_(time), loop_(std::move(loop)), folder_(data + "/bus"), program_(std::move(program)) {
  std::filesystem::create_directories(folder_ + "/store");
  ::chmod(folder_.c_str(), 0700);
  port_ = free_port();
  access_ = {.url = "nats://127.0.0.1:" + std::to_string(port_), .user = "kopiur", .password = random_hex(24)};
  write_files();
}

void bus_server::write_files() {
  std::string config = "listen: \"127.0.0.1:" + std::to_string(port_) + "\"\nserver_name: kopiur\nmax_payload: 4MB\n" +
                       "jetstream { store_dir: \"" + folder_ + "/store\", max_memory_store: 64MB, max_file_store: 20GB }\n" +
                       "authorization { user: \"" + access_.user + "\", password: \"" + access_.password + "\" }\n" + "log_file: \"" +
                       folder_ + "/server.log\"\nlogfile_size_limit: 4MB\nlogfile_max_num: 2\n";
  write_private(folder_ + "/server.conf", config);
  write_private(folder_ + "/access.json", json::write(access_));
}

asio::awaitable<void> bus_server::run() {
  for (int quick_ends = 0;; ++quick_ends) {
    auto started = std::chrono::steady_clock::now();
    process::child server(loop_, {.arguments = {program_, "-c", folder_ + "/server.conf"}, .environment = {"GOMEMLIMIT=256MiB"}});
    log_.info("bus.started", {{"pid", server.id()}, {"url", access_.url}});
    std::exception_ptr cancelled;
    process::ending ended;
    try {
      ended = co_await server.wait();
    } catch (...) {
      cancelled = std::current_exception();
    }
    if (cancelled) {
      co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
      co_await server.stop(time_, 10s);
      std::rethrow_exception(cancelled);
    }
    if (std::chrono::steady_clock::now() - started > 60s) quick_ends = 0;
    log_.error("bus.ended", {{"code", ended.code}, {"signal", ended.signal}, {"log", folder_ + "/server.log"}});
    co_await time_.sleep_for(std::min<duration>(5s, quick_ends * 500ms));
  }
}

}  // namespace kopiur::embedded
