#include "services/executor/test/openbao/stubs.hpp"

namespace kopiur::executor::test {
namespace {

using BaoRestore = Stubs;

std::string digest_of(std::string const& text) { return "sha256:" + encoding::hex(blob::sha256(text)); }

TEST_F(BaoRestore, ClaimsAndSubmitsOnce) {
  std::string patch;
  on_patch_ = [&](std::string what) -> page_result {
    patch = what;
    EXPECT_EQ(posts(), 0) << "the claim comes first";
    co_return patched(what);
  };
  auto ended = restore({{"RESTORE_EXPECTED_DIGEST", digest_of(snapshot_)}, {"RESTORE_EXPECTED_SIZE", "10"}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(patches(), 1);
  EXPECT_EQ(count("POST /v1/sys/storage/raft/snapshot"), 1);
  EXPECT_EQ(count("POST /v1/sys/storage/raft/snapshot-force"), 0);
  EXPECT_EQ(submitted_, snapshot_);
  EXPECT_TRUE(patch.contains(R"("podUID":"pod-1","targetPodName":"stub-0","digest":")" + digest_of(snapshot_) + R"(","size":10)")) << patch;
  auto line = json::parse(ended.out).value_or(json::value());
  EXPECT_EQ(line.text("voters"), "healthy");
  EXPECT_EQ(line.text("digest"), digest_of(snapshot_));
  EXPECT_EQ(line.text("key"), "a.snap");
  EXPECT_EQ(line.text("message"), "OpenBao took the snapshot. All members are healthy.");
}

TEST_F(BaoRestore, ForcesOnlyIfItIsAsked) {
  EXPECT_EQ(restore({{"RESTORE_FORCE", "true"}}).status, 0);
  EXPECT_EQ(count("POST /v1/sys/storage/raft/snapshot-force"), 1);
  EXPECT_EQ(posts(), 1);
}

TEST_F(BaoRestore, SubmitsNothingWithoutAClaim) {
  for (int status : {400, 403, 404, 409, 422, 429, 500, 503, 504}) {
    on_patch_ = [status](std::string) -> page_result { co_return http::page{.status = status, .body = "{}", .type = "application/json"}; };
    auto ended = restore();
    EXPECT_EQ(ended.status, 6) << status << ended.err;
    EXPECT_EQ(patches(), 1) << "it is not repeated: " << status;
    EXPECT_EQ(posts(), 0) << status;
    EXPECT_TRUE(ended.err.contains("nothing was submitted")) << ended.err;
  }
  on_patch_ = [this](std::string) -> page_result { co_return json_page(object()); };
  auto ended = restore();
  EXPECT_EQ(ended.status, 6) << "the CRD dropped the claim";
  EXPECT_EQ(posts(), 0);
  EXPECT_TRUE(ended.err.contains("Install a CRD")) << ended.err;
}

TEST_F(BaoRestore, WaitsForItsEndWhileAnotherPodSubmits) {
  int ended_pid = -1;
  heard_ = [&](printed const& said) {
    if (said.err.contains("waits for its end") && std::exchange(ended_pid, pid_) != pid_) ::kill(pid_, SIGTERM);
  };
  claim_ = R"({"podUID":"pod-2"})";
  auto ended = restore();
  EXPECT_EQ(ended.status, 6) << ended.err;
  EXPECT_EQ(patches() + posts(), 0);
  EXPECT_TRUE(ended.out.contains("pod-2")) << ended.out;

  claim_.clear();
  on_patch_ = [this](std::string) -> page_result {  // the other one was faster
    claim_ = R"({"podUID":"pod-2"})";
    co_return http::page{.status = 422, .body = "{}", .type = "application/json"};
  };
  ended = restore();
  EXPECT_EQ(ended.status, 6) << ended.err;
  EXPECT_EQ(patches(), 1);
  EXPECT_EQ(posts(), 0);

  auto healthy = std::exchange(health_, R"({"initialized":true,"sealed":true,"standby":true})");
  ended = restore();
  EXPECT_EQ(ended.status, 6) << "the submission of the other one sealed it" << ended.err;
  EXPECT_TRUE(ended.out.contains("pod-2")) << ended.out;
  claim_.clear();
  EXPECT_EQ(restore().status, 3) << "nobody submits";
  health_ = healthy;

  claim_ = R"({"podUID":"pod-1"})";
  heard_ = {};
  ended = restore();
  EXPECT_EQ(ended.status, 6) << "its own claim is of a run before this one, and nobody else submits";
  EXPECT_EQ(patches() + posts(), 0);
}

TEST_F(BaoRestore, RefusesAnotherExecution) {
  for (std::string variable : {"RESTORE_REQUEST_UID", "RESTORE_OPERATION_ID"}) {
    auto ended = restore({{variable, "other"}});
    EXPECT_EQ(ended.status, 6) << ended.err;
    EXPECT_TRUE(ended.err.contains(variable)) << ended.err;
    EXPECT_EQ(patches() + posts(), 0);
  }
}

TEST_F(BaoRestore, SaysWhatIsKnownOfASubmission) {
  std::map<int, int> statuses{{403, 4}, {400, 4}, {429, 7}, {500, 7}, {503, 7}};
  for (auto [answer, status] : statuses) {
    on_post_ = [answer]() -> page_result { co_return http::page{.status = answer, .body = R"({"errors":["because"]})"}; };
    auto ended = restore();
    EXPECT_EQ(ended.status, status) << answer << ended.err;
    EXPECT_EQ(posts(), 1) << answer;
    EXPECT_TRUE(ended.out.contains("because")) << ended.out;
  }
}

TEST_F(BaoRestore, KnowsNothingWithoutAnAnswer) {
  on_post_ = []() -> page_result { throw boost::system::system_error(asio::error::connection_reset); };
  beside_.front().server.raw = [this](asio::ip::tcp::socket guest) -> asio::awaitable<void> {
    try {
      co_await http::attend(std::move(guest), beside_.front().server.answer, {.tls = tls_});
    } catch (boost::system::system_error const&) {  // it closes instead of an answer
    }
  };
  auto ended = restore();
  EXPECT_EQ(ended.status, 7) << ended.err;
  EXPECT_EQ(posts(), 1);
  EXPECT_TRUE(ended.out.contains("Nobody knows")) << ended.out;
}

TEST_F(BaoRestore, EndsAtOnceBeforeTheClaim) {
  on_get_ = [this]() -> page_result {
    ::kill(pid_, SIGTERM);
    co_await silence();
    co_return http::page{};
  };
  auto ended = restore();
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_EQ(patches() + posts(), 0);
  EXPECT_TRUE(ended.out.contains("A signal ended the program")) << ended.out;
}

TEST_F(BaoRestore, SubmitsNothingAfterASignalDuringTheClaim) {
  on_patch_ = [this](std::string what) -> page_result {
    ::kill(pid_, SIGTERM);
    co_return patched(what);
  };
  auto ended = restore();
  EXPECT_EQ(ended.status, 6) << ended.err;
  EXPECT_EQ(posts(), 0);
}

TEST_F(BaoRestore, GoesOnAfterTheClaim) {
  on_post_ = [this]() -> page_result {
    ::kill(pid_, SIGTERM);
    co_return http::page{.status = 204};
  };
  auto ended = restore();
  EXPECT_EQ(ended.status, 7) << ended.err;
  EXPECT_TRUE(ended.out.contains("OpenBao took the snapshot. A signal came before")) << ended.out;
  EXPECT_FALSE(ended.out.contains("voters")) << ended.out;
}

TEST_F(BaoRestore, TellsOfSealedMembers) {
  on_post_ = [this]() -> page_result {
    health_ = R"({"initialized":true,"sealed":true,"standby":true})";
    co_return http::page{.status = 204};
  };
  long looks = 0;
  on_health_ = [&] {
    if (posts() == 1 && ++looks == 2) ::kill(pid_, SIGTERM);  // it would look for a minute
  };
  auto ended = restore();
  EXPECT_EQ(ended.status, 7) << ended.err;
  auto line = json::parse(ended.out).value_or(json::value());
  EXPECT_EQ(line.text("voters"), "sealed");
  EXPECT_TRUE(ended.out.contains(R"("notHealthy":["stub-0"])")) << ended.out;
}

/// OpenBao answers before it applies a snapshot: only a leader that is active again, in the same container, has applied it.
TEST_F(BaoRestore, WaitsUntilTheSnapshotIsApplied) {
  container_ = "c1", leader_ = R"({"active_time":"before"})";
  long looks = 0;
  on_health_ = [&] {
    if (posts() == 1 && ++looks == 2) leader_ = R"({"active_time":"after"})";
  };
  auto ended = restore();
  EXPECT_EQ(ended.status, 0) << ended.err << ended.out;
  EXPECT_GE(looks, 3) << "seen twice";
}

TEST_F(BaoRestore, DoesNotKnowWhatARestartedMemberHas) {
  container_ = "c1", leader_ = R"({"active_time":"before"})";
  on_post_ = [this]() -> page_result {
    container_ = "c2", leader_ = R"({"active_time":"after"})";
    co_return http::page{.status = 204};
  };
  auto ended = restore();
  EXPECT_EQ(ended.status, 7) << ended.err << ended.out;
  EXPECT_TRUE(ended.out.contains("was restarted before it had applied the snapshot")) << ended.out;
}

TEST_F(BaoRestore, HasADeadline) {
  auto past = to_text(std::chrono::floor<duration>(std::chrono::system_clock::now()) - std::chrono::seconds(1));
  auto ended = restore({{"RESTORE_PREPARATION_DEADLINE", past}});
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_EQ(std::ssize(asked_), 1) << "only whether another pod submits";
  EXPECT_EQ(patches() + posts(), 0);
  on_get_ = []() -> page_result {
    co_await silence();
    co_return http::page{};
  };
  auto soon = to_text(std::chrono::floor<duration>(std::chrono::system_clock::now()) + std::chrono::seconds(1));
  ended = restore({{"RESTORE_PREPARATION_DEADLINE", soon}});
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_TRUE(ended.err.contains("RESTORE_PREPARATION_DEADLINE")) << ended.err;
  EXPECT_EQ(patches() + posts(), 0);
}

TEST_F(BaoRestore, NoticesThatTheLeaderChanged) {
  int looks = 0;
  on_health_ = [&] {
    if (++looks == 2) health_ = R"({"initialized":true,"sealed":false,"standby":true})";
  };
  auto ended = restore();
  EXPECT_EQ(ended.status, 3) << ended.err;
  EXPECT_EQ(patches() + posts(), 0);
}

/// A6.17: what was stored under the key since is not submitted.
TEST_F(BaoRestore, ChecksTheSnapshotBeforeTheClaim) {
  auto refused = [&](std::map<std::string, std::string> more, int status, std::string word) {
    auto ended = restore(std::move(more));
    EXPECT_EQ(ended.status, status) << ended.err;
    EXPECT_TRUE(ended.err.contains(word)) << ended.err;
    EXPECT_EQ(patches() + posts(), 0);
  };
  refused({{"RESTORE_EXPECTED_SIZE", "11"}}, 6, "has 10 bytes, not 11");
  refused({{"RESTORE_EXPECTED_DIGEST", "sha256:" + std::string(64, '0')}}, 6, digest_of(snapshot_));
  snapshot_.clear();
  refused({}, 6, "is empty");
  on_get_ = []() -> page_result { co_return http::page{.status = 404}; };
  refused({}, 5, "404");
}

TEST_F(BaoRestore, NoticesAShortBody) {
  beside_.back().server.raw = [](asio::ip::tcp::socket guest) -> asio::awaitable<void> {
    std::string request;
    co_await asio::async_read_until(guest, asio::dynamic_buffer(request), "\r\n\r\n", asio::use_awaitable);
    std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nnot a hundred bytes";
    co_await asio::async_write(guest, asio::buffer(answer), asio::use_awaitable);
  };
  auto ended = restore();
  EXPECT_EQ(ended.status, 5) << ended.err;
  EXPECT_EQ(patches() + posts(), 0);
}

TEST_F(BaoRestore, SaysWhatIsMissing) {
  auto ended = restore({{"RESTORE_KEY", ""}});
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.err.contains("RESTORE_KEY")) << ended.err;
  ended = restore({{"BACKUP_TOKEN_PATH", "/none"}});
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(asked_.empty()) << "it begins nothing";
  fs::remove_all(folder_ / "credentials");
  ended = restore();
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.err.contains("accessKeyId")) << ended.err;
}

TEST_F(BaoRestore, TrustsOnlyTheClustersAuthority) {
  make_tls(folder_ / "other.crt");
  auto ended = restore({{"TLS_CA_PATH", folder_ / "other.crt"}, {"RESTORE_PREPARATION_DEADLINE", "2100-01-01T00:00:00Z"}});
  EXPECT_EQ(ended.status, 3) << ended.err;
  EXPECT_TRUE(ended.err.contains("stub-0 does not answer")) << ended.err;
  EXPECT_EQ(count("GET /v1/sys/health"), 0);
}

TEST_F(BaoRestore, TakesAnotherNameInTheCertificate) {
  beside_.front().server.tls = make_tls(folder_ / "ca.crt", ",DNS:bao.local");
  auto ended = restore({{"TLS_SERVER_NAME", "bao.local"}});
  EXPECT_EQ(ended.status, 0) << ended.err;
}

}  // namespace
}  // namespace kopiur::executor::test
