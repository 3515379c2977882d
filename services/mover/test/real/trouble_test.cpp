#include "services/mover/test/real/front.hpp"
#include "services/mover/test/real/lab.hpp"
#include "services/mover/test/real/server.hpp"

/// Storage that fails while a real kopia works on a real S3 server. The class gives the cause, both before kopia's first progress frame and
/// after it (trials, T7: an error in the record of a frame must keep its class).
namespace kopiur::mover::test {
namespace {

using enum proto::kopia_failure;

struct trouble {
  char const* name;
  front::answer answer;
  proto::kopia_failure means;
};
void PrintTo(trouble const& what, std::ostream* out) { *out << what.name; }

class Storage : public lab, public ::testing::WithParamInterface<trouble> {
 protected:
  void SetUp() override {
    fs::create_directories(root_ / "server/backups");
    auto behind = free_port();
    auto port = free_port();
    server_.emplace(
        std::vector<std::string>{required_program("KOPIUR_VERSITYGW", "versitygw"), "--access", "gatewaykey", "--secret",
                                 "gateway-secret-1", "--port", own_host() + ":" + std::to_string(behind), "posix", root_ / "server"},
        variables{{"HOME", root_}, {"PATH", environment_["PATH"]}}, behind, root_ / "server.log");
    front_.emplace(port, behind);
    access_.backend =
        proto::s3_backend{.bucket = "backups", .endpoint = "http://" + own_host() + ":" + std::to_string(port), .region = "us-east-1"};
    environment_["AWS_ACCESS_KEY_ID"] = "gatewaykey";
    environment_["AWS_SECRET_ACCESS_KEY"] = "gateway-secret-1";
    environment_["HOME"] = root_;
    write_file(source_ / "a.txt", "hello");
    create_repository();
    ASSERT_EQ(snapshot({.run = "run-0"}).status, 0) << "the policy is settled";
  }
  void fill(std::size_t megabytes) { write_random(source_ / "big", megabytes); }
  /// Turns the proxy after kopia has reported progress.
  watcher after_a_frame(std::string phase) {
    return [this, phase](int, std::string const& out) {
      if (!front_->turned() && out.contains("\"" + phase + "\"")) front_->turn(GetParam().answer);
    };
  }
  void expect_told(ended const& what) {
    EXPECT_TRUE(front_->turned()) << "the storage never failed";
    EXPECT_EQ(what.failed(), GetParam().means) << ::testing::PrintToString(what);
    EXPECT_NE(what.result.failure->stderr_tail, "");
  }

  std::optional<server> server_;
  std::optional<front> front_;
};

std::string name_of(::testing::TestParamInfo<trouble> const& info) { return info.param.name; }

class Saving : public Storage {};
TEST_P(Saving, BeforeTheFirstFrame) {
  fill(1);
  front_->turn_at("PUT /backups/p", GetParam().answer);
  expect_told(snapshot({.run = "run-1"}));
}
TEST_P(Saving, AfterTheFirstFrame) {
  fill(24);
  expect_told(snapshot({.run = "run-1", .environment = {{"KOPIUR_KOPIA", slow_kopia(2'000'000)}}, .watch = after_a_frame("hashing")}));
}
// Does not cover a bucket that vanishes meanwhile: kopia retries that for longer than a test can wait; the deadline of the run ends it.
INSTANTIATE_TEST_SUITE_P(Trouble, Saving,
                         ::testing::Values(trouble{"Gone", {}, Unreachable}, trouble{"Busy", {503, "SlowDown"}, Unreachable},
                                           trouble{"Denied", {403, "AccessDenied"}, AccessDenied},
                                           trouble{"Key", {403, "InvalidAccessKeyId"}, AccessDenied},
                                           trouble{"Clock", {403, "RequestTimeTooSkewed"}, ClockSkew},
                                           trouble{"Full", {507, "XMinioStorageFull"}, DiskFull}),
                         name_of);

class Restoring : public Storage {};
TEST_P(Restoring, BeforeTheFirstFrame) {
  fill(1);
  auto id = snapshot({.run = "run-1"}).result.snapshot.value().id;
  fs::remove_all(root_ / "cache");
  front_->turn_at("GET /backups/p", GetParam().answer);
  expect_told(run(proto::restore_work{.snapshot_ID = id, .source = identity_, .target = target_}, {.run = "run-2"}));
}
TEST_P(Restoring, AfterTheFirstFrame) {
  fill(60);
  auto id = snapshot({.run = "run-1"}).result.snapshot.value().id;
  fs::remove_all(root_ / "cache");
  front_->slow("GET /backups/p", std::chrono::milliseconds(700));
  expect_told(run(proto::restore_work{.snapshot_ID = id, .source = identity_, .target = target_},
                  {.run = "run-2", .watch = after_a_frame("restoring")}));
}
INSTANTIATE_TEST_SUITE_P(Trouble, Restoring,
                         ::testing::Values(trouble{"Gone", {}, Unreachable}, trouble{"Denied", {403, "AccessDenied"}, AccessDenied},
                                           trouble{"Lost", {404, "NoSuchKey", "/backups/p"}, DataLost}),
                         name_of);

}  // namespace
}  // namespace kopiur::mover::test
