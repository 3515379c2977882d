#include "common/http/test/scripted_server.hpp"
#include "services/executor/test/openbao/stubs.hpp"

namespace kopiur::executor::test {
namespace {

constexpr auto token = R"({"access_token":"t0ken-hunter2","expires_in":3600,"token_type":"Bearer"})";
constexpr auto resource = R"({"size":"10","generation":"7"})";

/// A stand-in of Google's store with one object of 10 bytes, and of its tokens.
class BaoGcs : public Stubs {
 protected:
  BaoGcs() {
    fs::remove_all(folder_ / "credentials");
    fs::create_directory(folder_ / "credentials");
    beside_.back().server = {.raw = [this](asio::ip::tcp::socket guest) { return serve(std::move(guest)); }};
  }
  printed restore_from(std::map<std::string, std::string> more = {}) {
    heads_.clear();
    more.emplace("BACKUP_PROVIDER", "gcs");
    return restore(std::move(more));
  }
  void write_credentials() {
    auto key = (folder_ / "key.pem").string();
    EXPECT_EQ(std::system(("openssl genrsa -out " + key + " 2048 2>/dev/null").c_str()), 0);
    auto text = json::value::make_object();
    text.set("type", "service_account"), text.set("client_email", "a@b"), text.set("private_key", read_all(key));
    text.set("token_uri", "http://127.0.4.9:9000/token");
    write("credentials/credentials.json", json::dump(text));
  }

  std::vector<std::string> heads_;  // of requests, in order
  int asked_of_store_ = 0;

 private:
  asio::awaitable<void> serve(asio::ip::tcp::socket guest) {
    http::test::peer one(std::move(guest));
    for (auto head = co_await one.header(); !head.empty(); head = co_await one.header()) {
      heads_.push_back(head);
      constexpr std::string_view field = "\r\nContent-Length: ";
      if (auto length = head.find(field); length != head.npos) co_await one.body(std::stoul(head.substr(length + field.size())));
      auto said = answer_to(head);
      co_await one.say("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(said.size()) + "\r\n\r\n" + said);
    }
  }
  std::string answer_to(std::string const& head) const {
    if (head.contains("/token")) return token;
    if (!head.contains("alt=media")) return resource;
    return head.contains("generation=7") ? snapshot_ : "a new one!";
  }
};

/// A6.17.
TEST_F(BaoGcs, ReadsTheGenerationThatItLookedAt) {
  write_credentials();
  auto ended = restore_from();
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(submitted_, snapshot_);
  EXPECT_EQ(heads_.size(), 3U);
  EXPECT_TRUE(!heads_.empty() && heads_.front().starts_with("POST /token")) << "the first is for a token";
  for (auto& each : heads_)
    if (each.starts_with("GET")) EXPECT_TRUE(each.contains("Authorization: Bearer t0ken-hunter2\r\n")) << each;
}

TEST_F(BaoGcs, AnEmulatorGetsNoToken) {
  auto ended = restore_from({{"GCE_METADATA_HOST", "127.0.4.9:9000"}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(heads_.size(), 2U);
  for (auto& each : heads_) EXPECT_FALSE(each.contains("Authorization")) << each;
}

/// The store has TLS here, and the metadata server has not.
TEST_F(BaoGcs, TakesThePodsIdentity) {
  auto metadata = beside_.back();
  metadata.ip = "127.0.4.8";
  beside_.back().server = {.answer = [this](http::asked what) -> page_result {
                             EXPECT_EQ(what.path, "/storage/v1/b/box/o/a.snap");
                             co_return http::page{.body = asked_of_store_++ % 2 ? snapshot_ : resource};
                           },
                           .tls = make_tls(folder_ / "store.crt", ",IP:127.0.4.9")};
  beside_.push_back(metadata);
  fs::copy(folder_ / "store.crt", folder_ / "credentials/caCert");
  std::map<std::string, std::string> pod{{"BACKUP_ENDPOINT", "https://127.0.4.9:9000"}, {"GCE_METADATA_HOST", "127.0.4.8:9000"}};
  auto ended = restore_from(pod);
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(heads_.size(), 1U);
  EXPECT_TRUE(!heads_.empty() && heads_.front().contains("Metadata-Flavor: Google\r\n"));
  EXPECT_EQ(submitted_, snapshot_);

  fs::remove(folder_ / "credentials/caCert");
  pod["BACKUP_INSECURE_SKIP_VERIFY"] = "true";
  ended = restore_from(pod);
  EXPECT_EQ(ended.status, 5) << "a token goes to nobody without a verified certificate: " << ended.err;
  EXPECT_EQ(asked_of_store_, 2);
}

TEST_F(BaoGcs, SendsNoTokenElsewhere) {
  write_credentials();
  auto ended = restore_from({{"BACKUP_ENDPOINT", "http://stub-0.stub.ns.svc:9000"}});
  EXPECT_EQ(ended.status, 5) << ended.err;
  EXPECT_TRUE(ended.err.contains("googleapis.com")) << ended.err;
  EXPECT_TRUE(heads_.empty());
}

TEST_F(BaoGcs, SaysWhatIsWrong) {
  auto ended = restore_from({{"BACKUP_ENDPOINT", "ftp://127.0.4.9"}});
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_TRUE(ended.err.contains("ftp://127.0.4.9")) << ended.err;
  write("credentials/credentials.json", R"({"type":"authorized_user","client_secret":"hunter2"})");
  ended = restore_from();
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_TRUE(ended.err.contains("credentials.json")) << ended.err;
  EXPECT_TRUE(heads_.empty());
}

}  // namespace
}  // namespace kopiur::executor::test
