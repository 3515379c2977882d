#include <csignal>

#include "common/http/test/scripted_server.hpp"
#include "services/executor/test/openbao/stubs.hpp"

namespace kopiur::executor::test {
namespace {

constexpr auto role = "arn:aws:iam::1:role/r";

/// A stand-in of an S3 store with one object, and of STS. Whose requests they are is in the header of a request.
class BaoS3 : public Stubs {
 protected:
  BaoS3() {
    beside_.back().server = {.raw = [this](asio::ip::tcp::socket guest) { return serve(std::move(guest)); }};
    beside_.push_back({"127.0.4.8", 9000, {.answer = [this](http::asked what) { return of_sts(what); }}});
    write("web-identity", "jwt-hunter2\n");
    on_post_ = []() -> page_result { co_return http::page{.status = 400}; };  // the end of a restore, for which nothing is waited
  }
  /// A Job that has this role, and no keys.
  std::map<std::string, std::string> with_role(std::map<std::string, std::string> more = {}) {
    fs::remove(folder_ / "credentials/accessKeyId"), fs::remove(folder_ / "credentials/secretAccessKey");
    more.insert({{"AWS_ROLE_ARN", role},
                 {"AWS_WEB_IDENTITY_TOKEN_FILE", folder_ / "web-identity"},
                 {"AWS_ENDPOINT_URL_STS", "http://127.0.4.8:9000"}});
    return more;
  }
  printed run_step(std::string name, std::map<std::string, std::string> more = {}) {
    heads_.clear(), forms_.clear(), submitted_.clear();
    snapshot_ = whole_snapshot();
    return step(std::move(name), std::move(more));
  }
  /// It has done with the store what it had to.
  void use_store(std::string const& name, std::map<std::string, std::string> more = {}) {
    auto ended = run_step(name, std::move(more));
    EXPECT_EQ(ended.status, name == "bao-restore" ? 4 : 0) << ended.err;
    EXPECT_TRUE(submitted_ == (name == "bao-restore" ? snapshot_ : "")) << submitted_.size();
  }
  /// Each request to the store is signed with this key, in this region, and has this session token; empty: none.
  void expect_signed(std::string const& key, std::string const& region, std::string const& session) {
    EXPECT_FALSE(heads_.empty());
    for (auto& head : heads_) {
      EXPECT_TRUE(head.contains("Credential=" + key + "/")) << head;
      EXPECT_TRUE(head.contains("/" + region + "/s3/aws4_request")) << head;
      EXPECT_EQ(head.contains("x-amz-security-token"), !session.empty()) << head;
      if (session.empty()) continue;
      EXPECT_TRUE(head.contains("\r\nx-amz-security-token: " + session + "\r\n")) << head;
      EXPECT_TRUE(head.contains(";x-amz-security-token")) << "it is signed: " << head;
    }
  }

  std::vector<std::string> heads_;  // of requests to the store, in order
  std::vector<std::string> forms_;  // of requests to STS
  std::function<void(std::string const&)> on_store_ = [](auto&) {};
  http::page said_by_sts_{.body =
                              "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>"
                              "<AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>role-hunter2</SecretAccessKey>"
                              "<SessionToken>session-hunter2</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration></Credentials>"
                              "</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>"};

 private:
  page_result of_sts(http::asked what) {
    forms_.push_back(what.method + " " + what.path + " " + what.body);
    co_return said_by_sts_;
  }
  asio::awaitable<void> serve(asio::ip::tcp::socket guest) {
    http::test::peer one(std::move(guest));
    for (auto head = co_await one.header(); !head.empty(); head = co_await one.header()) {
      heads_.push_back(head);
      on_store_(head);
      if (head.contains("\r\nExpect: 100-continue\r\n")) co_await one.say("HTTP/1.1 100 Continue\r\n\r\n");
      constexpr std::string_view field = "\r\nContent-Length: ";
      if (auto length = head.find(field); length != head.npos) co_await one.body(std::stoul(head.substr(length + field.size())));
      auto said = head.starts_with("GET ") ? snapshot_ : head.starts_with("POST ") ? upload : "";
      co_await one.say("HTTP/1.1 200 OK\r\nETag: \"e\"\r\nContent-Length: " + std::to_string(said.size()) + "\r\n\r\n" + said);
    }
  }
  std::string const upload = "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>";
};

TEST_F(BaoS3, SendsTheSessionTokenOfTheSecret) {
  for (std::string name : {"bao-restore", "bao-backup"}) {
    fs::remove(folder_ / "credentials/sessionToken");
    use_store(name);
    expect_signed("key", "us-east-1", "");
    write("credentials/sessionToken", "session-hunter2\n");
    use_store(name);
    expect_signed("key", "us-east-1", "session-hunter2");
  }
}

TEST_F(BaoS3, AssumesTheRoleWithTheTokenOfThePod) {
  for (std::string name : {"restore", "backup"}) {
    use_store("bao-" + name, with_role());
    EXPECT_EQ(forms_.size(), 1U);
    for (auto& form : forms_) {
      EXPECT_TRUE(form.starts_with("POST / Action=AssumeRoleWithWebIdentity&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr&")) << form;
      EXPECT_TRUE(form.contains("&RoleSessionName=openbao-" + name + "&")) << form;
      EXPECT_TRUE(form.ends_with("&WebIdentityToken=jwt-hunter2")) << form;
    }
    expect_signed("ASIA", "us-east-1", "session-hunter2");
  }
}

TEST_F(BaoS3, TheKeysOfTheSecretWinOverARole) {
  auto variables = with_role();
  write("credentials/accessKeyId", "key"), write("credentials/secretAccessKey", "key-hunter2");
  use_store("bao-restore", variables);
  EXPECT_TRUE(forms_.empty());
  expect_signed("key", "us-east-1", "");
}

TEST_F(BaoS3, SaysWhyItHasNoRole) {
  said_by_sts_ = {.status = 403, .body = "<ErrorResponse><Error><Code>AccessDenied</Code><Message>No.</Message></Error></ErrorResponse>"};
  auto ended = run_step("bao-restore", with_role());
  EXPECT_EQ(ended.status, 5) << ended.err;
  EXPECT_TRUE(ended.out.contains("STS answered 403 AccessDenied: No. Allow it in the role's trust policy")) << ended.out;
  EXPECT_EQ(patches() + posts(), 0);
  fs::remove(folder_ / "web-identity");
  ended = run_step("bao-restore", with_role());
  EXPECT_EQ(ended.status, 5) << ended.err;
  EXPECT_TRUE(ended.out.contains("Mount a projected token")) << ended.out;
  ended = run_step("bao-restore", with_role({{"AWS_ROLE_ARN", ""}}));
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_TRUE(ended.out.contains("AWS_ROLE_ARN")) << ended.out;
  EXPECT_TRUE(heads_.empty());
}

/// A6.13: upstream discards a Secret without keys, and then uses us-east-1.
TEST_F(BaoS3, ASecretWithoutKeysHasARegion) {
  std::map<std::string, std::string> regions{{"BACKUP_REGION", "eu-west-1"}, {"RESTORE_REGION", "eu-west-2"}};
  use_store("bao-backup", with_role(regions));
  expect_signed("ASIA", "eu-west-1", "session-hunter2");
  use_store("bao-restore", with_role(regions));
  expect_signed("ASIA", "eu-west-2", "session-hunter2");
  write("credentials/region", "eu-north-1\n");
  use_store("bao-restore", with_role(regions));
  expect_signed("ASIA", "eu-north-1", "session-hunter2");
}

/// A6.13: the store's authority is in the Secret, and STS has one of its own.
TEST_F(BaoS3, ASecretWithoutKeysHasAnAuthority) {
  auto store = std::ranges::find(beside_, "127.0.4.9", &placed::ip);
  int asked_of_store = 0;
  store->server = {.answer = [&](http::asked) -> page_result {
                     ++asked_of_store;
                     co_return http::page{.body = snapshot_};
                   },
                   .tls = make_tls(folder_ / "store.crt", ",IP:127.0.4.9")};
  auto variables = with_role({{"BACKUP_ENDPOINT", "https://127.0.4.9:9000"}});
  auto ended = run_step("bao-restore", variables);
  EXPECT_EQ(ended.status, 5) << ended.err;
  EXPECT_EQ(asked_of_store, 0) << "nobody vouches for it";
  fs::copy(folder_ / "store.crt", folder_ / "credentials/caCert");
  use_store("bao-restore", variables);
}

/// New in the corrections, "abort partial uploads" (#759).
TEST_F(BaoS3, AnUploadThatIsEndedLeavesNoParts) {
  on_store_ = [this](std::string const& head) {
    if (head.starts_with("PUT ")) ::kill(pid_, SIGTERM);
  };
  auto take_long = whole_snapshot(20 << 20);
  snapshot_ = take_long;
  auto ended = step("bao-backup");
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_TRUE(!heads_.empty() && heads_.back().starts_with("DELETE /box/") && heads_.back().contains("uploadId=u")) << ended.err;
}

}  // namespace
}  // namespace kopiur::executor::test
