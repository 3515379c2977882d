#include "services/executor/test/program.hpp"

namespace kopiur::executor::test {
namespace {

constexpr std::size_t mib = 1 << 20;

/// Uploads to a stand-in of Azure, which has tokens and objects on one port.
class Azure : public Program {
 protected:
  Azure() {
    tls_ = make_tls(folder_ / "ca.crt");
    write("credentials", R"({"tenantId":"tenant","clientId":"client","clientSecret":"hunter2"})");
    write("token", "jwt-1\n");
    for (std::size_t i = 0; i < 4 * mib + 1000; ++i) snapshot_ += static_cast<char>(i * 31 >> 3);
    write("snapshot.db", snapshot_);
  }
  void write(std::string name, std::string const& text) { std::ofstream(folder_ / name, std::ios::binary) << text; }
  printed upload(std::vector<std::string> more, std::map<std::string, std::string> variables = {}) {
    std::vector<std::string> all{"etcd-upload", "--snapshot-path", (folder_ / "snapshot.db").string(), "--storage-type", "AzureBlob"};
    for (std::string each : {"--azure-container", "box", "--azure-storage-account", "acct", "--key-prefix", "p/", "--now", "1000"})
      all.push_back(each);
    all.insert(all.end(), {"--endpoint", "https://127.0.0.1:{port}", "--ca-file", (folder_ / "ca.crt").string()});
    all.insert(all.end(), more.begin(), more.end());
    variables["AZURE_AUTHORITY_HOST"] = "https://127.0.0.1:{port}/";
    auto answer = [this](http::asked what) { return answer_one(*this, std::move(what)); };
    return run(all, variables, {.answer = answer, .tls = tls_, .longest = 8 * mib});
  }
  std::vector<std::string> by_secret() { return {"--credentials-file", (folder_ / "credentials").string()}; }

  static asio::awaitable<http::page> answer_one(Azure& self, http::asked what) {
    self.paths_.push_back(what.method + " " + what.path);
    if (what.method == "POST") {
      self.form_ = what.body;
      co_return http::page{.body = R"({"access_token":"abc"})"};
    }
    bool completes = what.body.starts_with("<BlockList>");
    if (!completes) self.stored_ += what.body;
    if (completes && self.exists_)
      co_return http::page{.status = 409, .body = "<Error><Code>BlobAlreadyExists</Code><Message>It is there.</Message></Error>"};
    co_return http::page{.status = 201};
  }

  std::shared_ptr<asio::ssl::context> tls_;
  std::string snapshot_, stored_, form_;
  std::vector<std::string> paths_;
  bool exists_ = false;
};

TEST_F(Azure, GetsTheSnapshotWithASecret) {
  auto ended = upload(by_secret());
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(ended.termination_log.starts_with("https://127.0.0.1:") && ended.termination_log.ends_with("/box/p/1000.db"))
      << ended.termination_log;
  EXPECT_EQ(ended.out, ended.termination_log + "\n");
  EXPECT_TRUE(stored_ == snapshot_);
  std::string put = "PUT /box/p/1000.db";
  EXPECT_EQ(paths_, (std::vector<std::string>{"POST /tenant/oauth2/v2.0/token", put, put, put}));
  EXPECT_TRUE(form_.contains("client_secret=hunter2")) << form_;
}

TEST_F(Azure, GetsTheSnapshotWithTheTokenOfThePod) {
  auto ended = upload(
      {}, {{"AZURE_TENANT_ID", "tenant"}, {"AZURE_CLIENT_ID", "client"}, {"AZURE_FEDERATED_TOKEN_FILE", (folder_ / "token").string()}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(form_.contains("client_assertion=jwt-1&")) << form_;
  EXPECT_TRUE(upload({}).termination_log.starts_with("There are no credentials. Give --credentials-file, or the pod a workload identity"));
}

TEST_F(Azure, KeepsAnObjectThatExists) {
  exists_ = true;
  auto ended = upload(by_secret());
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.termination_log.contains("/box/p/1000.db exists already, and nothing was overwritten.")) << ended.termination_log;
}

TEST_F(Azure, IsNotAskedForWhatItCannotDo) {
  auto more = by_secret();
  more.insert(more.end(), {"--azure-encryption-scope", "https://v.vault.azure.net/keys/k"});
  EXPECT_TRUE(upload(more).termination_log.contains("is the URL of a key. Azure needs the name of an encryption scope"));
  more = by_secret();
  more.insert(more.end(), {"--azure-auth-type", "managed-identity"});
  EXPECT_TRUE(upload(more).termination_log.contains("The certificate of a managed identity is not supported."));
  write("credentials", "{}");
  EXPECT_TRUE(upload(by_secret()).termination_log.starts_with("The credentials are not complete."));
  EXPECT_EQ(paths_, std::vector<std::string>());
}

}  // namespace
}  // namespace kopiur::executor::test
