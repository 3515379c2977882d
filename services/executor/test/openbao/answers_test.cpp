#include "services/executor/core/openbao/answers.hpp"

#include <gtest/gtest.h>

#include "common/json/value.hpp"

namespace kopiur::executor::openbao {
namespace {

std::string errors(std::string text) {
  auto out = json::value::make_object();
  json::value all = json::value::make_array();
  all.push(std::move(text));
  out.set("errors", std::move(all));
  return json::dump(out);
}

TEST(OpenBaoSubmission, OnlyACertainRefusalIsOne) {
  struct answer {
    int status;
    std::string body;
    openbao::status expected;
  };
  // What OpenBao 2.4 says: to a file that is cut off, to garbage, to the snapshot of another cluster, to a wrong token, as a standby.
  std::vector<answer> all{
      {204, "", status::done},
      {200, "", status::done},
      {500, errors("1 error occurred:\n\t* failed to read snapshot file: failed to read or write snapshot data: unexpected EOF\n\n"),
       status::refused},
      {500, errors("1 error occurred:\n\t* failed to decompress snapshot: gzip: invalid header\n\n"), status::refused},
      {500, errors("1 error occurred:\n\t* failed to create temp snapshot file: open /tmp/snapshot2084148490: permission denied\n\n"),
       status::refused},
      {500, errors("failed to rewind temp snapshot: seek /tmp/snapshot1: invalid argument"), status::refused},
      {400,
       errors("could not verify hash file, possibly the snapshot is using a different set of unseal keys; use the snapshot-force API to "
              "bypass this check"),
       status::refused},
      {403, errors("permission denied"), status::refused},
      {307, "", status::refused},
      {500, errors("1 error occurred:\n\t* context canceled\n\n"), status::unknown},
      {500, "", status::unknown},
      {502, "<html>", status::unknown},
      {503, errors("failed to read snapshot file"), status::unknown},
      {503, errors("failed to create temp snapshot file"), status::unknown},
      {500, errors("failed to write snapshot"), status::unknown},
      {429, errors("rate limit quota exceeded"), status::unknown},
      {408, "", status::unknown},
  };
  for (auto& each : all) EXPECT_EQ(read_submission(each.status, each.body).code, each.expected) << each.status << " " << each.body;
}

TEST(OpenBaoSubmission, SaysWhatToDo) {
  EXPECT_TRUE(read_submission(400, errors("use the snapshot-force API")).message.contains("set spec.force"));
  EXPECT_TRUE(read_submission(403, "").message.contains("Allow update of sys/storage/raft/snapshot"));
  EXPECT_TRUE(read_submission(503, "").message.contains("Nobody knows"));
}

TEST(OpenBaoSubmission, AsksForAWritableFolder) {
  std::string read = "failed to read snapshot file: failed to read or write snapshot data: ";
  for (std::string words : {std::string("failed to create temp snapshot file: open /tmp/snapshot1: permission denied"),
                            read + "write /tmp/snapshot1: no space left on device"}) {
    auto said = read_submission(500, errors("1 error occurred:\n\t* " + words + "\n\n"));
    EXPECT_EQ(said.code, status::refused) << words;
    EXPECT_TRUE(said.message.contains("changed nothing") && said.message.contains("a writable /tmp")) << said.message;
    EXPECT_FALSE(said.message.contains("damaged")) << said.message;
  }
  EXPECT_TRUE(read_submission(500, errors(read + "unexpected EOF")).message.contains("damaged or cut off"));
}

TEST(OpenBaoSubmission, WithoutABeginningNothingHappened) {
  EXPECT_EQ(no_answer("Why.", false).code, status::refused);
  EXPECT_EQ(no_answer("Why.", true).code, status::unknown);
}

TEST(OpenBaoLogin, ReadsTheToken) {
  auto token = read_login_answer(200, R"({"auth":{"client_token":"s.1","lease_duration":3600}})");
  EXPECT_TRUE(token && *token == "s.1");
  for (auto status : {400, 403, 500}) {
    token = read_login_answer(status, errors("role \"r\" could not be found"));
    EXPECT_TRUE(!token && token.error().code == openbao::status::authentication);
    EXPECT_TRUE(!token && token.error().message.contains("role \"r\" could not be found")) << token.error().message;
  }
  EXPECT_FALSE(read_login_answer(200, "{}"));
}

std::string health_text(bool initialized, bool sealed, bool standby) {
  auto flag = [](bool value) { return std::string(value ? "true" : "false"); };
  return R"({"initialized":)" + flag(initialized) + R"(,"sealed":)" + flag(sealed) + R"(,"standby":)" + flag(standby) +
         R"(,"performance_standby":false,"version":"2.4.0","cluster_id":"c"})";
}

TEST(OpenBaoHealth, KnowsTheLeader) {
  auto leads = read_health(health_text(true, false, false)), stands_by = read_health(health_text(true, false, true));
  auto sealed = read_health(health_text(true, true, true));
  EXPECT_EQ(leader_among({{0, stands_by}, {1, {}}, {2, leads}}), 2);
  EXPECT_EQ(leader_among({{0, stands_by}, {1, {}}, {2, sealed}}), std::nullopt);
  EXPECT_EQ(describe({{0, stands_by}, {1, {}}, {2, sealed}}, "bao"), "bao-0 is a standby, bao-1 does not answer, bao-2 is sealed");
  EXPECT_FALSE(read_health("<html>") || read_health("{}"));
}

TEST(OpenBaoHealth, JudgesAllMembers) {
  auto leads = read_health(health_text(true, false, false)), stands_by = read_health(health_text(true, false, true));
  auto sealed = read_health(health_text(true, true, true)), fresh = read_health(health_text(false, true, true));
  EXPECT_EQ(judge(std::vector<member_health>{{0, leads}, {1, stands_by}}).all, voters::state::healthy);
  EXPECT_EQ(judge(std::vector<member_health>{{0, stands_by}, {1, stands_by}}).all, voters::state::unreachable) << "nobody leads";
  auto one = judge(std::vector<member_health>{{0, leads}, {1, sealed}, {2, {}}});
  EXPECT_EQ(one.all, voters::state::sealed);
  EXPECT_EQ(one.not_healthy, (std::vector<int>{1, 2}));
  EXPECT_EQ(judge(std::vector<member_health>{{0, leads}, {1, fresh}}).all, voters::state::sealed);
  EXPECT_EQ(judge(std::vector<member_health>{{0, leads}, {1, {}}}).all, voters::state::unreachable);
}

TEST(OpenBaoReport, IsOneLineOfJson) {
  report what{.code = status::done, .message = "Well.\nDone.", .key = "a/b", .digest = "sha256:1", .size = 12};
  what.members = voters{.all = voters::state::sealed, .not_healthy = {1}};
  EXPECT_EQ(to_line(what, "bao"),
            R"({"message":"Well. Done.","size":12,"digest":"sha256:1","voters":"sealed","notHealthy":["bao-1"],"key":"a/b"})");
  EXPECT_EQ(to_line({.message = "No."}, "bao"), R"({"message":"No."})");
}

TEST(OpenBaoReport, IsShortAndStaysJson) {
  for (std::string piece : {"x", "\"", "\u00e4"}) {
    std::string words;
    while (words.size() < 5000) words += piece;
    report what{.message = words, .key = std::string(1500, 'k'), .digest = "sha256:1", .size = 12};
    auto line = to_line(what, "bao");
    EXPECT_LE(line.size(), 2048U);
    auto read = json::parse(line);
    EXPECT_TRUE(read && read->text("digest") == "sha256:1" && read->text("message").ends_with("...")) << line;
    EXPECT_FALSE(line.contains("\xef\xbf\xbd")) << "no character is cut";
  }
}

}  // namespace
}  // namespace kopiur::executor::openbao
