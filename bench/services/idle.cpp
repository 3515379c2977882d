#include <unistd.h>

#include <boost/asio.hpp>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "bench/services/bench.hpp"
#include "bench/services/stage.hpp"
#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/process/child.hpp"
#include "common/testing/folder.hpp"

namespace kopiur::bench {

namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

constexpr double bar_mib = 60, bar_percent = 1, bar_ms = 500;

constexpr auto password_and_repository = R"(apiVersion: v1
kind: Secret
metadata: {name: password, namespace: default}
stringData: {KOPIA_PASSWORD: a-bench}
---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: Repository
metadata: {name: main, namespace: default}
spec:
  backend: {filesystem: {path: HOME/repository}}
  encryption: {passwordSecretRef: {name: password}}
  create: {enabled: true}
)";
constexpr auto nightly = R"(---
apiVersion: v1
kind: PersistentVolume
metadata: {name: source-N}
spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: HOME/source}, claimRef: {name: source-N, namespace: default}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: source-N, namespace: default}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, volumeName: source-N}
---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: BackupConfig
metadata: {name: recipe-N, namespace: default}
spec: {repository: {name: main}, sources: [{pvc: {name: source-N}}], retention: {keepLatest: 3}}
---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: BackupSchedule
metadata: {name: nightly-N, namespace: default}
spec: {configRef: {name: recipe-N}, schedule: {cron: "H 3 * * *"}}
)";

std::string with(std::string text, std::string const& what, std::string const& by) {
  for (auto index = text.find(what); index != std::string::npos; index = text.find(what, index + by.size()))
    text.replace(index, what.size(), by);
  return text;
}

/// Eighteen objects; schedules fire only at night.
void write_manifests(testing::folder const& home) {
  std::filesystem::create_directories(home / "manifests");
  std::filesystem::create_directories(home / "source");
  std::ofstream file(home / "manifests/all.yaml");
  file << with(password_and_repository, "HOME", home.path().string());
  for (auto* number : {"1", "2", "3", "4"}) file << with(with(nightly, "HOME", home.path().string()), "-N", std::string("-") + number);
}

std::string content(std::filesystem::path const& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Seconds of CPU that a process has used, without its children; `/proc/<pid>/stat`, fields 14 and 15.
double cpu_seconds(pid_t id) {
  auto text = content("/proc/" + std::to_string(id) + "/stat");
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string skipped;
  for (int i = 3; i < 14; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

process::command up(std::string const& programs, testing::folder const& home) {
  std::vector<std::string> environment;
  for (auto* name : {"PATH", "HOME", "TZDIR", "KOPIUR_NATS_SERVER", "KOPIUR_KOPIA"})
    if (auto* value = std::getenv(name)) environment.push_back(std::string(name) + "=" + value);
  return {.arguments = {programs + "/kopiur", "--data", (home / "data").string(), "up", "--manifests", (home / "manifests").string()},
          .environment = std::move(environment),
          .directory = {},
          .inherited = {},
          .only_writable = {}};
}

/// Milliseconds until the journal, from byte `from` on, contains this event.
asio::awaitable<double> until_told(clock& time, std::filesystem::path journal, std::size_t from, std::string event,
                                   steady::time_point start) {
  auto const wanted = "\"event\":\"" + event + "\"";
  while (steady::now() - start < 30s) {
    auto text = content(journal);
    if (text.size() > from && text.find(wanted, from) != std::string::npos)
      co_return std::chrono::duration<double, std::milli>(steady::now() - start).count();
    co_await time.sleep_for(2ms);
  }
  throw std::runtime_error("the journal " + journal.string() + " does not tell " + event + " within 30 s: " + content(journal));
}

struct figures {
  double first_ms = 0, again_ms = 0, mib = 0, percent = 0;
};

asio::awaitable<void> measure(asio::io_context& loop, std::string programs, figures& seen) {
  app::system_clock time(loop.get_executor());
  testing::folder home;
  write_manifests(home);
  auto const journal = home / "data/kopiur.log";
  {
    auto start = steady::now();
    process::child first(loop.get_executor(), up(programs, home));
    seen.first_ms = co_await until_told(time, journal, 0, "run.due.v1", start);
    co_await time.sleep_for(15s);  // the repository is created, and its first list is read
    co_await first.stop(time, 20s);
  }
  auto const told = content(journal).size();
  auto start = steady::now();
  process::child second(loop.get_executor(), up(programs, home));
  seen.again_ms = co_await until_told(time, journal, told, "mirror.listed", start);
  co_await time.sleep_for(15s);
  auto before = cpu_seconds(second.id());
  co_await time.sleep_for(30s);
  seen.percent = (cpu_seconds(second.id()) - before) / 30 * 100;
  seen.mib = memory_mib(second.id(), "VmRSS");
  co_await second.stop(time, 20s);
}

}  // namespace

bool idle(std::string const& programs) {
  asio::io_context loop(1);
  figures seen;
  std::exception_ptr failed;
  asio::co_spawn(loop, measure(loop, programs, seen), [&](std::exception_ptr e) { failed = e, loop.stop(); });
  loop.run();
  if (failed) std::rethrow_exception(failed);
  bool met = seen.mib < bar_mib && seen.percent < bar_percent && seen.first_ms < bar_ms;
  std::printf(R"({"bench":"idle","objects":18,"resident_mib":%.1f,"cpu_percent":%.2f,"first_start_ms":%.0f,"next_start_ms":%.0f,)"
              R"("bar_mib":%.0f,"bar_percent":%.0f,"bar_ms":%.0f,"met":%s})"
              "\n",
              seen.mib, seen.percent, seen.first_ms, seen.again_ms, bar_mib, bar_percent, bar_ms, met ? "true" : "false");
  return met;
}

}  // namespace kopiur::bench
