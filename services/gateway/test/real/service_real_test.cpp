#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <cstdio>
#include <thread>
#include <utility>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/bus/nats_port.hpp"
#include "common/bus/view.hpp"
#include "common/testing/nats_server.hpp"
#include "proto/codec.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/shell/options.hpp"
#include "services/gateway/test/folder.hpp"

/// The gateway with everything real: nats-server, the mover, kopia, files and processes.
namespace kopiur::gateway {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace subjects = proto::subjects;
using asio::awaitable;
using proto::job_phase;

struct real_stage {
  test_folder data, files, repository;
  testing::nats_server server;

  options how() const {
    auto* bin = std::getenv("KOPIUR_BIN");
    if (!bin) throw std::runtime_error("KOPIUR_BIN is not set: it names the folder of kopiur-mover; ctest sets it.");
    return {
        .cluster = "local", .data = data.path().string(), .manifests = files.path().string(), .mover = std::string(bin) + "/kopiur-mover"};
  }
  bus::nats_options client() const { return {.urls = {server.url()}, .name = "test"}; }
};

template <class T>
T must(bus::result<T> done) {
  if (!done) throw std::runtime_error(done.error().text);
  if constexpr (!std::is_void_v<T>) return std::move(*done);
}

awaitable<void> make_streams(bus::port& bus) {
  for (auto const& each : proto::streams(1)) must(co_await bus.ensure(each));
  for (auto const& each : proto::consumers("local")) must(co_await bus.ensure(each));
}

/// The gateway in a separate process: the program as it is shipped.
class gateway_program {
 public:
  explicit gateway_program(real_stage const& stage) : child_(::fork()) {
    if (child_ != 0) return;
    auto options = stage.how();
    auto program = std::string(std::getenv("KOPIUR_BIN")) + "/kopiur-gateway";
    ::setenv("KOPIUR_NATS_URL", stage.server.url().c_str(), 1);
    ::setenv("KOPIUR_DATA", options.data.c_str(), 1);
    ::setenv("KOPIUR_MANIFESTS", options.manifests.c_str(), 1);
    ::setenv("KOPIUR_MOVER", options.mover.c_str(), 1);
    ::execl(program.c_str(), program.c_str(), nullptr);
    ::_exit(127);
  }
  gateway_program(gateway_program const&) = delete;
  ~gateway_program() { kill(); }
  void kill() {
    if (child_ < 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(std::exchange(child_, -1), nullptr, 0);
  }

 private:
  pid_t child_;
};

struct seat {
  bus::port& bus;
  clock& time;
};

void run_story(real_stage const& stage, std::function<awaitable<void>(seat)> story) {
  asio::io_context loop(1);
  app::system_clock time(loop.get_executor());
  auto all = [&]() -> awaitable<void> {
    auto bus = must(co_await bus::nats_port::open(loop, stage.client()));
    co_await make_streams(*bus);
    co_await app::within(time, 250s, story({*bus, time}), "the story took too long");
    co_await bus->close();
  };
  std::exception_ptr failed;
  asio::co_spawn(loop, all(), [&](std::exception_ptr e) { failed = e, loop.stop(); });
  loop.run();
  if (failed) std::rethrow_exception(failed);
}

awaitable<proto::answer> command(seat desk, std::string key, proto::gateway_command what) {
  auto verb = std::visit([](auto const& one) { return std::string(one.member); }, what);
  auto subject = subjects::answer("local", "gateway", verb, key);
  must(co_await desk.bus.publish({.subject = subjects::command("local", "gateway", verb, key), .body = json::write(what)}));
  for (;;) {
    auto said = must(co_await desk.bus.last("answers", subject));
    if (said) co_return *json::read<proto::answer>(said->body);
    co_await desk.time.sleep_for(50ms);
  }
}

/// The last mirrored state of a Job, once it has ended. Prints why it waits.
awaitable<proto::job> ended(seat desk, std::string name) {
  for (std::string told;;) {
    auto said = must(co_await desk.bus.last("resources", subjects::resource("local", "Job", "home", name)));
    auto job = said && !said->body.empty() ? json::read<proto::job>(said->body) : std::expected<proto::job, json::problem>(std::unexpect);
    if (job && (job->status.phase == job_phase::Finished || job->status.phase == job_phase::Lost)) co_return *job;
    if (job && job->status.reason != std::exchange(told, job->status.reason))
      std::printf("%s: %s %s\n", name.c_str(), told.c_str(), job->status.message.c_str());
    co_await desk.time.sleep_for(100ms);
  }
}

proto::create_job connect_job(real_stage const& stage, std::string run) {
  proto::create_job job{
      .run = run, .attempt = 1, .namespace_ = "home", .serves = {}, .body = {}, .secrets = {}, .volumes = {}, .leases = {}, .pod = {}};
  proto::kopia_of(job).run = run;
  proto::kopia_of(job).repository = proto::repository_access{
      .backend = proto::filesystem_backend{.path = (stage.repository / "kopia").string(), .pvc_name = {}, .nfs = {}},
      .mount = {},
      .unique_ID = {},
      .username = "kopiur",
      .hostname = "home",
      .content_cache_MB = {},
      .metadata_cache_MB = {},
      .cache_directory = "{{cache}}",
      .secrets = {}};
  proto::kopia_of(job).task =
      proto::connect_work{.create = proto::create_behavior{.enabled = true, .encryption = {}, .hash = {}, .splitter = {}, .ecc = {}}};
  job.secrets = {{.secret_namespace = "home", .secret_name = "repo", .key = "KOPIA_PASSWORD", .env = "KOPIA_PASSWORD", .file = {}}};
  return job;
}

void write_secret(real_stage const& stage) {
  stage.files.write(
      "secret.yaml",
      "apiVersion: v1\nkind: Secret\nmetadata:\n  name: repo\n  namespace: home\nstringData:\n  KOPIA_PASSWORD: a long enough password\n");
}

TEST(RealGateway, RunsAMoverAndTellsItsResult) {
  real_stage stage;
  std::filesystem::create_directory(stage.repository / "kopia");
  run_story(stage, [](seat) -> awaitable<void> { co_return; });  // creates the streams
  gateway_program gateway(stage);
  run_story(stage, [&](seat desk) -> awaitable<void> {
    auto job = connect_job(stage, "r-connect");
    auto said = co_await command(desk, "r-connect-1", job);
    EXPECT_EQ(said.code, proto::answer_code::Ok) << said.message;
    co_await desk.time.sleep_for(300ms);
    write_secret(stage);  // the manifest is written last: the Job waits for it
    auto done = co_await ended(desk, "r-connect-1");
    EXPECT_EQ(done.status.phase, job_phase::Finished) << done.status.message << done.status.log_tail;
    if (!done.status.result) co_return;
    EXPECT_EQ(done.status.result->outcome, proto::outcome::Succeeded) << done.status.log_tail;
    auto* result = done.status.result->as<proto::kopia_result>();
    EXPECT_TRUE(result && result->unique_ID);
    EXPECT_TRUE(result && result->created);
    auto gone = co_await command(desk, "r-connect-1", proto::delete_job{.run = "r-connect", .attempt = 1, .namespace_ = "home"});
    EXPECT_EQ(gone.code, proto::answer_code::Ok);
  });
  gateway.kill();
}

TEST(RealGateway, TakesUpAMoverAfterItWasKilled) {
  real_stage stage;
  std::filesystem::create_directory(stage.repository / "kopia");
  write_secret(stage);
  run_story(stage, [](seat) -> awaitable<void> { co_return; });  // creates the streams
  gateway_program first(stage);
  run_story(stage, [&](seat desk) -> awaitable<void> { co_await command(desk, "r-1-1", connect_job(stage, "r-1")); });
  auto process = stage.data / "jobs/r-1-1/process.json";
  for (int i = 0; i < 1000 && !std::filesystem::exists(process); ++i) std::this_thread::sleep_for(10ms);
  first.kill();
  ASSERT_TRUE(std::filesystem::exists(process));
  gateway_program second(stage);
  run_story(stage, [&](seat desk) -> awaitable<void> {
    auto done = co_await ended(desk, "r-1-1");
    EXPECT_EQ(done.status.phase, job_phase::Finished) << done.status.message << done.status.log_tail;
    EXPECT_TRUE(done.status.pods_gone);
  });
  second.kill();
}

TEST(RealGateway, HealsTheMirrorWhenTheBusComesBackEmpty) {
  auto stage = std::make_unique<real_stage>();
  write_secret(*stage);
  run_story(*stage, [](seat) -> awaitable<void> { co_return; });  // creates the streams
  gateway_program gateway(*stage);
  auto secret = subjects::resource("local", "Secret", "home", "repo");
  auto mirrored = [&](seat desk) -> awaitable<void> {
    while (!must(co_await desk.bus.last("resources", secret))) co_await desk.time.sleep_for(100ms);
  };
  run_story(*stage, mirrored);
  run_story(*stage, [&](seat desk) -> awaitable<void> {
    auto said = must(co_await desk.bus.last("resources", secret));
    EXPECT_TRUE(must(co_await desk.bus.erase("resources", said->sequence)));
  });
  gateway.kill();
  gateway_program next(*stage);
  run_story(*stage, mirrored);
  next.kill();
}

}  // namespace
}  // namespace kopiur::gateway
