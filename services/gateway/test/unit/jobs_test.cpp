#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <thread>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "proto/codec.hpp"
#include "services/gateway/local/local_cluster.hpp"
#include "services/gateway/test/folder.hpp"

namespace kopiur::gateway::local {
namespace {

using namespace std::chrono_literals;
using proto::job_phase;

// A mover of a few lines: MODE decides what it does.
constexpr char const* fake_mover = R"(#!/bin/sh
field() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^\",]*\)\"\{0,1\}.*/\1/p" "$work" | head -1; }
work=$1; result=$3
run=$(field run); attempt=$(field attempt)
finish() { printf '{"version":1,"run":"%s","attempt":%s,"outcome":"Succeeded"}' "$run" "$attempt" > "$result.new"; mv "$result.new" "$result"; }
echo "the password is $KOPIA_PASSWORD, so there" >&2
echo '{"progress":{"phase":"hashing","filesProcessed":3}}'
case $MODE in
  quick) ;;
  rows) i=0; while [ $i -lt 250 ]; do echo "{\"row\":{\"id\":\"s$i\",\"startTime\":\"2026-11-21T06:00:00Z\",\"endTime\":\"2026-11-21T06:00:00Z\"}}"; i=$((i + 1)); done ;;
  wait) while [ ! -e "$GO" ]; do sleep 0.02; done ;;
  stubborn) trap '' TERM; while :; do sleep 0.05; done ;;
  loud) trap '' TERM; while :; do echo '{"row":{"id":"again"}}'; done ;;
  orphan) sleep 60 & kill -9 $$ ;;
  file) cp "$(field secrets)/sshKey" "$GO" ;;
esac
finish
)";

struct job_fixture {
  test_folder data, aside;
  boost::asio::io_context loop{1};
  app::system_clock time{loop.get_executor()};
  std::string mode = "quick";
  duration grace{10s};
  output_limits output{};
  std::unique_ptr<local_cluster> cluster;

  job_fixture() {
    aside.write("mover", fake_mover);
    fs::permissions(aside / "mover", fs::perms::owner_all);
  }
  local_settings settings() const {
    return {.data = data.path(),
            .manifests = {},
            .mover = {.program = (aside / "mover").string(),
                      .environment = {"PATH=/usr/bin:/bin", "MODE=" + mode, "GO=" + (aside / "go").string()},
                      .grace = grace,
                      .output = output},
            .check = nullptr};
  }
  void open() { cluster = std::make_unique<local_cluster>(loop.get_executor(), time, settings()); }

  /// Runs the cluster and `story` concurrently, until the story ends.
  void play(std::function<awaitable<void>(local_cluster&)> story) {
    if (!cluster) open();
    std::exception_ptr failed;
    boost::asio::co_spawn(loop, app::within(time, 30s, app::first_of(cluster->run(), story(*cluster)), "the story took too long"),
                          [&](std::exception_ptr e) {
                            failed = e;
                            loop.stop();
                          });
    loop.restart();
    loop.run();
    if (failed) std::rethrow_exception(failed);
  }
};

proto::create_job order(std::string run, std::int64_t deadline = 600) {
  proto::create_job job{.run = std::move(run),
                        .attempt = 1,
                        .namespace_ = "home",
                        .serves = {},
                        .body = {},
                        .secrets = {},
                        .volumes = {},
                        .leases = {},
                        .deadline_seconds = deadline,
                        .pod = {}};
  proto::kopia_of(job).run = job.run;
  proto::kopia_of(job).repository = proto::repository_access{.backend = proto::filesystem_backend{.path = "/r", .pvc_name = {}, .nfs = {}}};
  return job;
}

// Reads the feed until the Job has reached that state; earlier changes are added to `all`.
awaitable<proto::job> until(cluster_feed& feed, std::function<bool(proto::job const&)> reached,
                            std::vector<cluster_change>* all = nullptr) {
  for (;;) {
    auto change = co_await feed.next();
    if (all) all->push_back(change);
    auto* seen = std::get_if<seen_object>(&change);
    if (!seen || seen->object.text("kind") != "Job") continue;
    auto job = json::decode<proto::job>(seen->object);
    if (job && reached(*job)) co_return *job;
  }
}
std::function<bool(proto::job const&)> in(job_phase phase) {
  return [phase](proto::job const& job) { return job.status.phase == phase; };
}

json::value secret(std::string_view key, std::string_view value) {
  auto object = parsed_json(R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"home"}})");
  object.set("stringData", json::object{{std::string(key), value}});
  return object;
}

TEST(Job, RunsOnceToItsResult) {
  job_fixture it;
  it.play([](local_cluster& cluster) -> awaitable<void> {
    auto feed = cluster.follow();
    auto first = co_await cluster.create_job(order("r-1"));
    auto again = co_await cluster.create_job(order("r-1"));
    EXPECT_EQ(*first, *again);
    auto job = co_await until(*feed, in(job_phase::Finished));
    EXPECT_EQ(job.uid, *first);
    EXPECT_TRUE(job.status.pods_gone);
    EXPECT_EQ(job.status.result->outcome, proto::outcome::Succeeded);
    EXPECT_TRUE(job.status.started_at && job.status.finished_at);
  });
}

TEST(Job, OfWhichOnlyAnOldMarkOfItsRemovalIsLeftIsForgotten) {
  job_fixture it;
  for (auto* name : {"jobs/r-1-1/deleted", "jobs/r-2-1/deleted"}) it.data.write(name, "");
  fs::last_write_time(it.data / "jobs/r-1-1/deleted", fs::file_time_type::clock::now() - 8 * 24h);
  it.open();
  EXPECT_FALSE(fs::exists(it.data / "jobs/r-1-1"));
  EXPECT_TRUE(fs::exists(it.data / "jobs/r-2-1")) << "its command may be sent again";
}

TEST(Job, ShowsNoSecretInItsLog) {
  job_fixture it;
  it.play([](local_cluster& cluster) -> awaitable<void> {
    co_await cluster.create(secret("KOPIA_PASSWORD", "hunter2 and more"));
    auto feed = cluster.follow();
    auto job = order("r-1");
    job.secrets = {{.secret_namespace = "home", .secret_name = "s", .key = "KOPIA_PASSWORD", .env = "KOPIA_PASSWORD", .file = {}}};
    co_await cluster.create_job(job);
    auto done = co_await until(*feed, in(job_phase::Finished));
    EXPECT_EQ(done.status.log_tail, "the password is ***, so there\n");
  });
  for (auto const& entry : fs::recursive_directory_iterator(it.data / "jobs"))
    if (entry.path().filename() != "stderr" && entry.is_regular_file()) {
      EXPECT_EQ(files::read_file(entry.path())->find("hunter2"), std::string::npos) << entry.path();
    }
}

TEST(Job, GetsSecretFilesOutsideTheDataFolderAndTheyGo) {
  job_fixture it;
  it.mode = "file";
  fs::path room;
  it.play([&](local_cluster& cluster) -> awaitable<void> {
    co_await cluster.create(secret("key", "PRIVATE"));
    auto feed = cluster.follow();
    auto job = order("r-1");
    auto access = *proto::kopia_of(job).repository;
    access.secrets = "{{secrets}}";
    proto::kopia_of(job).repository = std::move(access);
    job.secrets = {{.secret_namespace = {}, .secret_name = "s", .key = "key", .env = {}, .file = "sshKey"}};
    co_await cluster.create_job(job);
    co_await until(*feed, in(job_phase::Finished));
    room = parsed_json(*files::read_file(it.data / "jobs/r-1-1/work.json")).text("repository.secrets");
  });
  EXPECT_EQ(*files::read_file(it.aside / "go"), "PRIVATE");
  EXPECT_FALSE(room.empty());
  EXPECT_FALSE(fs::exists(room));
}

TEST(Job, TellsRowsInPagesBeforeItIsFinished) {
  job_fixture it;
  it.mode = "rows";
  it.play([](local_cluster& cluster) -> awaitable<void> {
    auto feed = cluster.follow();
    co_await cluster.create_job(order("r-1"));
    std::vector<cluster_change> all;
    auto done = co_await until(*feed, in(job_phase::Finished), &all);
    EXPECT_EQ(done.status.row_pages, 2);
    std::size_t rows = 0, progress = 0;
    for (auto const& change : all) {
      if (auto* page = std::get_if<job_rows>(&change)) rows += page->rows.rows.size();
      progress += std::holds_alternative<job_progress>(change);
    }
    EXPECT_EQ(rows, 250u);
    EXPECT_GT(progress, 0u);
  });
}

TEST(Job, WaitsForWhatIsMissingWithAReason) {
  job_fixture it;
  it.play([](local_cluster& cluster) -> awaitable<void> {
    auto feed = cluster.follow();
    auto job = order("r-1");
    job.secrets = {{.secret_namespace = {}, .secret_name = "s", .key = "KOPIA_PASSWORD", .env = "KOPIA_PASSWORD", .file = {}}};
    co_await cluster.create_job(job);
    auto waits = co_await until(*feed, [](proto::job const& one) { return !one.status.reason.empty(); });
    EXPECT_EQ(waits.status.phase, job_phase::Starting);
    EXPECT_EQ(waits.status.reason, "SecretMissing");
    co_await cluster.create(secret("KOPIA_PASSWORD", "hunter2"));
    auto done = co_await until(*feed, in(job_phase::Finished));
    EXPECT_TRUE(done.status.reason.empty());
  });
}

TEST(Job, DeletedIsProvenGoneAndNeverStartsAgain) {
  job_fixture it;
  it.mode = "wait";
  it.play([&](local_cluster& cluster) -> awaitable<void> {
    auto feed = cluster.follow();
    auto work = (it.data / "jobs/r-1-1/work.json").string();
    co_await cluster.create_job(order("r-1"));
    co_await until(*feed, in(job_phase::Running));
    EXPECT_TRUE(process::find_by_argument(work));
    auto gone = co_await cluster.delete_job({.run = "r-1", .attempt = 1, .namespace_ = "home"});
    EXPECT_TRUE(gone);
    EXPECT_FALSE(process::find_by_argument(work));
    auto late = co_await cluster.create_job(order("r-1"));
    EXPECT_EQ(late.error().code, proto::answer_code::Removed);
    co_await cluster.delete_job({.run = "r-2", .attempt = 1, .namespace_ = "home"});
    EXPECT_FALSE(co_await cluster.create_job(order("r-2"))) << "a create that was overtaken by its delete";
    auto again = co_await cluster.delete_job({.run = "r-1", .attempt = 1, .namespace_ = "home"});
    EXPECT_TRUE(again);
  });
}

TEST(Job, AMoverThatDoesNotListenIsKilled) {
  job_fixture it;
  it.mode = "stubborn", it.grace = 300ms;
  it.play([](local_cluster& cluster) -> awaitable<void> {
    auto feed = cluster.follow();
    co_await cluster.create_job(order("r-1"));
    co_await until(*feed, in(job_phase::Running));
    EXPECT_TRUE(co_await cluster.delete_job({.run = "r-1", .attempt = 1, .namespace_ = "home"}));
  });
}

TEST(Job, IsStoppedAtItsDeadline) {
  job_fixture it;
  it.mode = "wait";
  it.play([](local_cluster& cluster) -> awaitable<void> {
    auto feed = cluster.follow();
    co_await cluster.create_job(order("r-1", 1));
    auto lost = co_await until(*feed, in(job_phase::Lost));
    EXPECT_EQ(lost.status.reason, "DeadlineExceeded");
    EXPECT_TRUE(lost.status.pods_gone);
  });
}

TEST(Job, IsStoppedWhenItPrintsTooMuch) {
  job_fixture it;
  it.mode = "loud", it.grace = 100ms, it.output = {.bytes = 1 << 20, .row_bytes = 10'000};
  it.play([](local_cluster& cluster) -> awaitable<void> {
    auto feed = cluster.follow();
    co_await cluster.create_job(order("r-1"));
    std::vector<cluster_change> all;
    auto lost = co_await until(*feed, in(job_phase::Lost), &all);
    EXPECT_EQ(lost.status.reason, "OutputTooLarge");
    EXPECT_EQ(lost.status.message, "The mover was stopped: it printed more than a mover may print.");
    std::size_t rows = 0;
    for (auto const& change : all)
      if (auto* page = std::get_if<job_rows>(&change)) rows += page->rows.rows.size();
    EXPECT_EQ(rows, 10'000 / std::string_view(R"({"row":{"id":"again"}})").size());
  });
}

TEST(Job, IsLostOnlyWhenNothingOfItRuns) {
  job_fixture it;
  it.mode = "orphan";
  it.play([](local_cluster& cluster) -> awaitable<void> {
    auto feed = cluster.follow();
    co_await cluster.create_job(order("r-1"));
    auto running = co_await until(*feed, in(job_phase::Running));
    auto lost = co_await until(*feed, in(job_phase::Lost));
    EXPECT_NE(lost.status.message.find("signal 9"), std::string::npos) << lost.status.message;
  });
  auto process = json::read<process::identity>(*files::read_file(it.data / "jobs/r-1-1/process.json"));
  ASSERT_TRUE(process);
  EXPECT_TRUE(process::session_of(*process).empty()) << "the mover's own child was left running";
}

// The gateway in a separate process, which is killed once the mover runs.
void gateway_that_dies(job_fixture const& outer) {
  auto child = ::fork();
  if (child == 0) {
    boost::asio::io_context loop(1);
    app::system_clock time(loop.get_executor());
    local_cluster cluster(loop.get_executor(), time, outer.settings());
    boost::asio::co_spawn(loop, cluster.run(), [](std::exception_ptr) {});
    boost::asio::co_spawn(loop, cluster.create_job(order("r-1")), [](std::exception_ptr, outcome<std::string>) {});
    loop.run();
    ::_exit(0);
  }
  for (int i = 0; i < 500 && !fs::exists(outer.data / "jobs/r-1-1/process.json"); ++i) std::this_thread::sleep_for(10ms);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST(Job, IsTakenUpByTheNextGateway) {
  job_fixture it;
  it.mode = "wait";
  gateway_that_dies(it);
  auto process = json::read<process::identity>(files::read_file(it.data / "jobs/r-1-1/process.json").value_or(""));
  ASSERT_TRUE(process);
  ASSERT_TRUE(process::is_alive(*process)) << "movers outlive the gateway";
  it.play([&](local_cluster& cluster) -> awaitable<void> {
    auto feed = cluster.follow();
    co_await until(*feed,
                   [](proto::job const& job) { return job.status.phase == job_phase::Running || job.status.phase == job_phase::Starting; });
    it.aside.write("go", "");
    auto done = co_await until(*feed, in(job_phase::Finished));
    EXPECT_EQ(done.status.result->run, "r-1");
  });
}

TEST(Job, ThatEndedWhileNobodyLookedIsFoundFinished) {
  job_fixture it;
  it.mode = "wait";
  gateway_that_dies(it);
  it.aside.write("go", "");
  for (int i = 0; i < 500 && !fs::exists(it.data / "jobs/r-1-1/result.json"); ++i) std::this_thread::sleep_for(10ms);
  it.play([&](local_cluster& cluster) -> awaitable<void> {
    auto feed = cluster.follow();
    co_await until(*feed, in(job_phase::Finished));
  });
}

TEST(Job, ThatWasKilledWhileNobodyLookedIsLost) {
  job_fixture it;
  it.mode = "wait";
  gateway_that_dies(it);
  auto process = json::read<process::identity>(*files::read_file(it.data / "jobs/r-1-1/process.json"));
  for (auto pid : process::session_of(*process)) ::kill(pid, SIGKILL);
  it.play([&](local_cluster& cluster) -> awaitable<void> {
    auto feed = cluster.follow();
    auto lost = co_await until(*feed, in(job_phase::Lost));
    EXPECT_TRUE(lost.status.pods_gone);
  });
}

TEST(Job, WhosePidWasNeverNotedIsFoundByItsLock) {
  job_fixture it;
  it.mode = "wait";
  gateway_that_dies(it);
  auto process = json::read<process::identity>(*files::read_file(it.data / "jobs/r-1-1/process.json"));
  fs::remove(it.data / "jobs/r-1-1/process.json");  // as if the gateway had died before it recorded the process
  it.play([&](local_cluster& cluster) -> awaitable<void> {
    auto feed = cluster.follow();
    EXPECT_TRUE(co_await cluster.delete_job({.run = "r-1", .attempt = 1, .namespace_ = "home"}));
  });
  EXPECT_FALSE(process::is_alive(*process));
}

}  // namespace
}  // namespace kopiur::gateway::local
