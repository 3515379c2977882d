#include "services/cli/embedded/up.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/bus/nats_port.hpp"
#include "common/log/log.hpp"
#include "common/process/child.hpp"
#include "proto/streams.hpp"
#include "services/gateway/local/object_store.hpp"
#include "services/provisioner/shell/settings.hpp"
#include "services/runtime/embedded/bus_server.hpp"
#include "services/runtime/embedded/former_durables.hpp"
#include "services/runtime/embedded/streams.hpp"
#include "services/runtime/shell/configuration.hpp"
#include "services/runtime/shell/health_registry.hpp"
#include "services/runtime/shell/keep.hpp"
#include "services/runtime/shell/runtime.hpp"
#include "services/systems/systems.hpp"
#include "services/together/shell/serve.hpp"

namespace kopiur::embedded {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using task = asio::awaitable<void>;

namespace {

log::logger const journal{"up"};

/// Allows one `kopiur up` per data folder. The kernel releases the lock however the process ends.
class folder_lock {
 public:
  explicit folder_lock(std::string const& data) {
    gateway::local::make_data_folder(data);
    auto path = data + "/up.lock";
    fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd_ < 0) throw std::runtime_error("Cannot open " + path + ": " + std::generic_category().message(errno) + ".");
    if (!take(std::chrono::steady_clock::now() + 3s)) {
      auto pid = holder();
      ::close(fd_);
      throw std::runtime_error("Another kopiur up (pid " + pid + ") uses the data folder " + data +
                               ". Stop it, or give another folder with --data.");
    }
    auto mine = std::to_string(::getpid());
    [[maybe_unused]] auto cut = ::ftruncate(fd_, 0);
    [[maybe_unused]] auto n = ::pwrite(fd_, mine.data(), mine.size(), 0);
  }
  folder_lock(folder_lock const&) = delete;
  ~folder_lock() { ::close(fd_); }

 private:
  std::string holder() const {
    char pid[32] = {};
    [[maybe_unused]] auto n = ::pread(fd_, pid, sizeof pid - 1, 0);
    return pid;
  }
  /// Waits only for a lock whose holder was killed while it started a program: that child keeps the lock until its exec closes it.
  bool take(std::chrono::steady_clock::time_point until) const {
    while (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
      auto pid = std::atoi(holder().c_str());
      bool lives = pid <= 0 || ::kill(pid, 0) == 0 || errno != ESRCH;
      if (lives || std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(20ms);
    }
    return true;
  }

  int fd_ = -1;
};

/// Writes the URL of /healthz, /readyz and /metrics to the file `http` of the data folder.
void tell_port(std::string const& data, std::string const& address, int port) {
  auto url = "http://" + address.substr(0, address.rfind(':')) + ":" + std::to_string(port);
  std::ofstream(data + "/http") << url << "\n";
  journal.info("http.listening", {{"url", url}});
}

/// Shows messages on the terminal; they are in the journal too. A repeated sentence is shown once.
gateway::service::sentences tell_terminal() {
  return [last = std::string()](std::string const& sentence) mutable {
    if (sentence == last) return;
    std::fprintf(stderr, "kopiur: %s\n", (last = sentence).c_str());
  };
}

task serve_all(bus::port& bus, clock& time, asio::any_io_executor loop, runtime::health_registry& health, up_options settings) {
  auto configurations = runtime::read_configurations(systems(), settings.configuration);
  together::options what{.gateway = {.cluster = settings.cluster,
                                     .data = settings.data,
                                     .manifests = settings.manifests,
                                     .mover = settings.mover,
                                     .configurations = configurations,
                                     .restore_by_request = settings.restore_by_request},
                         .lease = {.cluster = settings.cluster, .rule = {}},
                         .orchestration = {.cluster = settings.cluster, .can = {}, .traces = settings.traces},
                         .provisioner = provisioner::options_for(settings.cluster, configurations),
                         .retention = {.cluster = settings.cluster}};
  app::nursery all(loop);
  all.spawn(together::serve(bus, time, health, std::move(what), tell_terminal()));
  // Messages that no service could process are stored with their reason: see `kopiur bus dlq`.
  all.spawn(runtime::keep(time, "dead-letters",
                          [&] { return bus::store_dead_letters(bus, proto::dead_letter_store(), health.count_dead_letters()); }));
  all.spawn(runtime::keep(time, "http", [&] {
    return http::serve(
        settings.http, health.pages(), [&](int port) { tell_port(settings.data, settings.http, port); },
        [](std::string const& what) { journal.warning("http.trouble", {{"what", what}}); });
  }));
  co_await all.join();
}

task connect_and_serve(asio::io_context& loop, clock& time, bus_server& server, up_options settings) {
  bus::nats_options options{.name = "kopiur up", .locate = server.locate()};
  options.notice = [](std::string const& text) { journal.warning("bus.notice", {{"text", text}}); };
  runtime::health_registry health(time);
  options.on_dead_letter = health.count_dead_letters();
  auto served = co_await bus::nats_port::with(loop, options, [&](bus::nats_port& bus) -> task {
    co_await make_streams(bus, settings.cluster, settings.bus_store);
    for (auto const& each : co_await remove_former_durables(bus, time)) journal.info("durable.removed", {{"name", each}});
    journal.info("up.ready", {{"data", settings.data}, {"manifests", settings.manifests}});
    co_await app::first_of(serve_all(bus, time, loop.get_executor(), health, settings), runtime::until_lost(bus));
  });
  if (!served) throw std::runtime_error(served.error().text);
}

}  // namespace

task up(asio::io_context& loop, up_options options) {
  folder_lock mine(options.data);
  app::system_clock time(loop.get_executor());
  bus_server server(time, loop.get_executor(), options.data, options.nats_server, options.bus_store);
  co_await app::first_of(connect_and_serve(loop, time, server, options), server.run());
}

namespace {
std::string search_path() { return std::getenv("PATH") ? std::getenv("PATH") : "/usr/local/bin:/usr/bin:/bin"; }
}  // namespace

std::expected<std::string, std::string> find_mover(std::string const& own_path) {
  auto beside = std::filesystem::path(own_path).parent_path() / "kopiur-mover";
  auto mover = process::find_program(std::filesystem::exists(beside) ? beside.string() : "kopiur-mover", search_path());
  if (!mover) return std::unexpected("kopiur-mover is neither beside " + own_path + " nor on PATH. Install it with kopiur.");
  return *mover;
}

std::expected<up_options, std::string> find_programs(up_options options, std::string const& own_path) {
  auto server = find_bus_server();
  if (!server) return std::unexpected(server.error());
  options.nats_server = *server;
  if (auto* traces = std::getenv("OTEL_EXPORTER_OTLP_ENDPOINT")) options.traces = traces;
  auto mover = find_mover(own_path);
  if (!mover) return std::unexpected(mover.error());
  options.mover = *mover;
  return options;
}

}  // namespace kopiur::embedded
