#include <boost/asio/ssl.hpp>

#include "services/executor/test/openbao/stubs.hpp"

namespace kopiur::executor::test {
namespace {

class BaoSteps : public Stubs {
 protected:
  /// Under the name of openbao-operator's program.
  printed as_backup_executor(std::string mode) {
    if (!fs::exists(folder_ / "backup-executor")) fs::create_symlink(fs::absolute(program_), folder_ / "backup-executor");
    program_ = folder_ / "backup-executor";
    auto variables = job();
    variables["EXECUTOR_MODE"] = mode, variables["RESTORE_KEY"] = "";
    asked_.clear();
    return run({}, variables);
  }
};

TEST_F(BaoSteps, HaveTheNameOfUpstreamsProgram) {
  auto ended = as_backup_executor("settle");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.termination_log, R"({"message":"All members of OpenBao are healthy.","voters":"healthy","notHealthy":[]})");
  ended = as_backup_executor("restore");
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.termination_log.contains("RESTORE_KEY")) << ended.termination_log;
  for (std::string mode : {"", "backup"}) {
    ended = as_backup_executor(mode);
    EXPECT_EQ(ended.status, 6) << ended.err;
    EXPECT_EQ(count("GET /v1/sys/storage/raft/snapshot"), 1);
  }
  ended = as_backup_executor("other");
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.termination_log.contains("EXECUTOR_MODE")) << ended.termination_log;
}

TEST_F(BaoSteps, SettleWaitsForTheLastMember) {
  health_ = R"({"initialized":true,"sealed":true,"standby":true})";
  int looks = 0;
  on_health_ = [&] {
    if (++looks == 2) health_ = R"({"initialized":true,"sealed":false,"standby":false})";
  };
  auto ended = step("bao-settle");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(looks, 2);
}

TEST_F(BaoSteps, SettleHasALimit) {
  auto ended = step("bao-settle", {{"CLUSTER_REPLICAS", "3"}, {"SETTLE_SECONDS", "1"}});
  EXPECT_EQ(ended.status, 8) << ended.err;
  EXPECT_TRUE(ended.out.contains(R"("voters":"unreachable","notHealthy":["stub-1","stub-2"])")) << ended.out;
}

/// A6.12: upstream uploads what came before an error as if it were all. Here only the end of the answer is missing.
TEST_F(BaoSteps, ABackupThatIsCutOffIsNotUploaded) {
  auto whole = whole_snapshot();
  std::string framed, last;
  beside_.front().server.raw = [&](asio::ip::tcp::socket guest) -> asio::awaitable<void> {
    asio::ssl::stream<asio::ip::tcp::socket> link(std::move(guest), *tls_);
    std::string request;
    boost::system::error_code ended;
    auto told = asio::redirect_error(asio::use_awaitable, ended);
    co_await link.async_handshake(asio::ssl::stream_base::server, told);
    co_await asio::async_read_until(link, asio::dynamic_buffer(request), "\r\n\r\n", told);
    auto answer = "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(health_.size()) + "\r\n\r\n" + health_;
    if (request.contains("/raft/snapshot ")) answer = "HTTP/1.1 200 OK\r\n" + framed + whole + last;
    co_await asio::async_write(link, asio::buffer(answer), told);
    co_await link.async_shutdown(told);
  };
  std::ostringstream chunk;
  chunk << "Transfer-Encoding: chunked\r\n\r\n" << std::hex << whole.size() << "\r\n";
  for (auto& header : {chunk.str(), "Content-Length: " + std::to_string(whole.size() + 1) + "\r\n\r\n"}) {
    framed = header;
    auto ended = step("bao-backup");
    EXPECT_EQ(ended.status, 4) << ended.err;
    EXPECT_TRUE(asked_.empty()) << "nothing is sent to the store";
  }
  framed = chunk.str(), last = "\r\n0\r\n\r\n";
  auto ended = step("bao-backup");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(asked_.size(), 1U);
}

/// A6.12: the same of an answer that seems to be all.
TEST_F(BaoSteps, ABackupThatIsNotWholeIsNotUploaded) {
  auto ended = step("bao-backup");
  EXPECT_EQ(ended.status, 6) << ended.err;
  EXPECT_TRUE(ended.err.contains("it is not a gzip file")) << ended.err;
  auto whole = whole_snapshot();
  on_get_ = [&]() -> page_result { co_return http::page{.body = whole.substr(0, whole.size() / 2)}; };
  ended = step("bao-backup");
  EXPECT_EQ(ended.status, 6) << ended.err;
  on_get_ = []() -> page_result { co_return http::page{.status = 403, .body = R"({"errors":["permission denied"]})"}; };
  ended = step("bao-backup");
  EXPECT_EQ(ended.status, 4) << ended.err;
  EXPECT_TRUE(ended.err.contains("Allow read of sys/storage/raft/snapshot")) << ended.err;
  for (auto& each : asked_) EXPECT_FALSE(each.starts_with("PUT")) << each;
}

}  // namespace
}  // namespace kopiur::executor::test
