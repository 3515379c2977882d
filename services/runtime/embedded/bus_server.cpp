#include "services/runtime/embedded/bus_server.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/app/async.hpp"
#include "common/files/files.hpp"
#include "common/json/codec.hpp"
#include "common/json/describe.hpp"
#include "common/json/described.hpp"
#include "common/process/child.hpp"

namespace kopiur::embedded {

KOPIUR_DESCRIBE(bus_access, (), (url, nkey, seed))
static_assert(json::wholly_described<bus_access>);

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

/// For this user alone, and complete or not at all.
void write_private(std::string const& path, std::string const& text) try {
  files::write_file(path, text, 0600);
} catch (std::system_error const& failed) {
  throw std::runtime_error("Cannot write " + path + ": " + failed.code().message() + ". Is the data folder yours, and is there room?");
}

/// The URL that a server wrote once it listened; nothing before that, or while the file is not complete.
std::optional<std::string> listening_url(std::string const& folder) {
  std::error_code none;
  for (auto const& each : std::filesystem::directory_iterator(folder, none)) {
    std::stringstream text;
    text << std::ifstream(each.path()).rdbuf();
    auto read = json::parse(text.str());
    auto* urls = read ? read->find("nats") : nullptr;
    auto* list = urls ? urls->as_array() : nullptr;
    if (list && !list->empty() && list->front().as_string()) return *list->front().as_string();
  }
  return std::nullopt;
}

}  // namespace

std::string use(bus_access const& access, bus::nats_options& options) {
  if (access.url.empty()) return "nats-server is being started";
  options.urls = {access.url}, options.nkey = access.nkey, options.seed = access.seed;
  return {};
}

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

bus_server::bus_server(clock& time, asio::any_io_executor loop, std::string data, std::string program, std::int64_t store)
    : time_(time), loop_(std::move(loop)), folder_(data + "/bus"), program_(std::move(program)), store_(store) {
  std::filesystem::create_directories(folder_ + "/store");
  ::chmod(folder_.c_str(), 0700);
  publish({});
}

bus_server::~bus_server() { ::unlink((folder_ + "/access.json").c_str()); }

std::function<std::string(bus::nats_options&)> bus_server::locate() const {
  return [this](bus::nats_options& options) {
    auto problem = use(access_, options);
    return problem.empty() ? problem : problem + ", see " + folder_ + "/server.log";
  };
}

/// `sync_interval: always`: what the server acknowledged is on the disk, as in production, so that a loss of power loses nothing.
void bus_server::write_config(bus::nkey const& login) {
  std::string config = "listen: \"127.0.0.1:-1\"\nports_file_dir: \"" + folder_ + "/ports\"\nserver_name: kopiur\nmax_payload: 4MB\n" +
                       "jetstream { store_dir: \"" + folder_ +
                       "/store\", max_memory_store: 64MB, max_file_store: " + std::to_string(store_) + ", sync_interval: always }\n" +
                       "authorization { users: [ { nkey: " + login.name + " } ] }\n" + "log_file: \"" + folder_ +
                       "/server.log\"\nlogfile_size_limit: 4MB\nlogfile_max_num: 2\n";
  std::filesystem::remove_all(folder_ + "/ports");  // a killed server leaves its file
  std::filesystem::create_directory(folder_ + "/ports");
  write_private(folder_ + "/server.conf", config);
}

void bus_server::publish(bus_access access) {
  write_private(folder_ + "/access.json", json::write(access));
  access_ = std::move(access);
}

/// On a full disk the file cannot be replaced; it can be removed.
void bus_server::withdraw() {
  access_ = {};
  try {
    publish({});
  } catch (std::runtime_error const&) {
    ::unlink((folder_ + "/access.json").c_str());
  }
}

/// Waits until the server listens, then tells clients. It never ends by itself.
asio::awaitable<void> bus_server::announce(bus::nkey login, pid_t server) {
  std::optional<std::string> url;
  while (!(url = listening_url(folder_ + "/ports"))) co_await time_.sleep_for(10ms);
  log_.info("bus.started", {{"pid", server}, {"url", *url}});
  has_run_ = true;
  publish({.url = *std::move(url), .nkey = std::move(login.name), .seed = std::move(login.seed)});
  while (true) co_await time_.sleep_for(1h);
}

/// One life of a server. Its end, or that of this call, is told to clients before anything else.
asio::awaitable<void> bus_server::serve_once() {
  auto login = bus::make_user_nkey();
  write_config(login);
  process::child server(loop_, {.arguments = {program_, "-c", folder_ + "/server.conf"}, .environment = {"GOMEMLIMIT=256MiB"}});
  process::ending ended;
  std::exception_ptr cancelled;
  auto until_ended = [&]() -> asio::awaitable<void> { ended = co_await server.wait(); };
  try {
    co_await app::first_of(announce(std::move(login), server.id()), until_ended());
  } catch (...) {
    cancelled = std::current_exception();
  }
  withdraw();
  if (cancelled) {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await server.stop(time_, 10s);
    std::rethrow_exception(cancelled);
  }
  log_.error("bus.ended", {{"code", ended.code}, {"signal", ended.signal}, {"log", folder_ + "/server.log"}});
}

/// A server that ran before is tried again: the disk may have space by then.
void bus_server::told_or_thrown(std::exception_ptr problem) const {
  if (app::is_cancelled(problem) || !has_run_) std::rethrow_exception(problem);
  try {
    std::rethrow_exception(problem);
  } catch (std::exception const& e) {
    log_.error("bus.not-started", {{"problem", e.what()}});
  }
}

asio::awaitable<void> bus_server::run() {
  for (int quick_ends = 0;; ++quick_ends) {
    auto started = std::chrono::steady_clock::now();
    std::exception_ptr problem;
    try {
      co_await serve_once();
    } catch (...) {
      problem = std::current_exception();
    }
    if (problem) told_or_thrown(problem);
    if (std::chrono::steady_clock::now() - started > 60s) quick_ends = 0;
    co_await time_.sleep_for(std::min<duration>(5s, quick_ends * 500ms));
  }
}

}  // namespace kopiur::embedded
