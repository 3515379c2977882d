#include <csignal>
#include <thread>

#include "common/blob/core/digest.hpp"
#include "common/blob/test/text_content.hpp"
#include "common/encoding/hex.hpp"
#include "common/json/value.hpp"
#include "services/executor/test/etcd_snapshot.hpp"
#include "services/executor/test/store.hpp"

namespace kopiur::executor::test {
namespace {

void put(std::string key, std::string const& text) {
  with_box([&](blob::store& store) -> asio::awaitable<void> {
    auto stored = co_await store.put_large("box", key, blob::test::content(text), {});
    EXPECT_TRUE(stored) << stored.error().message;
  });
}

class Verify : public Program {
 protected:
  Verify() {
    program_ = fs::path(program_).replace_filename("kopiur");
    write("credentials", credentials_text());
    fs::create_directory(folder_ / "temporary");
  }
  void write(std::string name, std::string const& text) { std::ofstream(folder_ / name, std::ios::binary) << text; }
  printed verify(std::string url, std::vector<std::string> more = {}, std::map<std::string, std::string> variables = {},
                 stand_in other = {}) {
    variables["TMPDIR"] = folder_ / "temporary";
    std::vector<std::string> all{"etcd", "verify", url};
    all.insert(all.end(), more.begin(), more.end());
    auto ended = run(all, variables, other);
    EXPECT_TRUE(fs::is_empty(folder_ / "temporary")) << "it removes what it wrote";
    EXPECT_FALSE((ended.out + ended.err).contains("hunter2")) << ended.err;
    return ended;
  }
  printed verify_s3(std::string key, std::vector<std::string> more = {}) {
    auto all = by_file();
    all.insert(all.end(), more.begin(), more.end());
    return verify("s3://box/" + key, all);
  }
  std::vector<std::string> by_file() {
    return {"--endpoint", server().url(), "--credentials-file", folder_ / "credentials", "--etcdutl", part("KOPIUR_ETCDUTL")};
  }
  static std::string hash_of(std::string const& text) { return encoding::hex(blob::sha256(text)); }
};

TEST_F(Verify, FindsAGoodSnapshot) {
  put("good.db", snapshot());
  auto ended = verify_s3("good.db");
  EXPECT_EQ(ended.status, 0) << ended.err;
  for (std::string part :
       {"url       s3://box/good.db\n", "The checksum that etcd appended is right.", "revision  12\n", "keys      11\n", "hash"})
    EXPECT_TRUE(ended.out.contains(part)) << ended.out;
  ended = verify_s3("good.db", {"-o", "json"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  auto read = json::parse(ended.out).value_or(json::value());
  EXPECT_EQ(read.text("sha256"), hash_of(snapshot()));
  EXPECT_EQ(read.text("checksum"), "right");
  EXPECT_TRUE(read.find("size") && *read.find("size") == json::value(snapshot().size())) << ended.out;
  EXPECT_TRUE(verify_s3("good.db", {"-o", "yaml"}).out.contains("keys: 11\n"));
}

TEST_F(Verify, UsesTheKeysOfTheEnvironment) {
  put("good.db", snapshot());
  std::vector<std::string> more{"--endpoint", server().url(), "--etcdutl", part("KOPIUR_ETCDUTL")};
  std::map<std::string, std::string> variables{{"AWS_ACCESS_KEY_ID", s3_server::access_key},
                                               {"AWS_SECRET_ACCESS_KEY", s3_server::secret_key}};
  auto ended = verify("s3://box/good.db", more, variables);
  EXPECT_EQ(ended.status, 0) << ended.err;
  ended = verify("s3://box/good.db", more);
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.err.contains("There are no credentials. Give --credentials-file, or set AWS_ACCESS_KEY_ID")) << ended.err;
}

TEST_F(Verify, NoticesAByteThatIsAnotherOne) {
  auto bytes = snapshot();
  auto& middle = bytes[bytes.find("yyyy") + 50'000];
  middle = 'z';
  put("flipped.db", bytes);
  auto ended = verify_s3("flipped.db");
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.out.contains("The checksum that etcd appended is wrong.") && !ended.out.contains("revision")) << ended.out;
  EXPECT_TRUE(ended.err.contains("The snapshot is damaged or cut off.")) << ended.err;
}

TEST_F(Verify, NoticesASnapshotThatIsCutOff) {
  auto half = snapshot().size() / 2 / 4096 * 4096;
  for (auto size : {half + 100, half + 32, std::size_t{0}}) {
    put("short.db", snapshot().substr(0, size));
    auto ended = verify_s3("short.db");
    EXPECT_EQ(ended.status, 1) << size;
    EXPECT_TRUE(ended.err.contains("ake another backup.")) << ended.err;
  }
  put("short.db", snapshot().substr(0, half));
  auto ended = verify_s3("short.db");
  EXPECT_EQ(ended.status, 1) << "etcdutl alone can say it";
  EXPECT_TRUE(ended.out.contains("There is no checksum that etcd appended.")) << ended.out;
  EXPECT_TRUE(ended.err.contains("etcdutl refuses the database: ") || ended.err.contains("it is cut off")) << ended.err;
}

TEST_F(Verify, LeavesADatabaseWithoutAChecksumToEtcdutl) {
  put("plain.db", snapshot().substr(0, snapshot().size() - 32));
  auto ended = verify_s3("plain.db");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(ended.out.contains("There is no checksum that etcd appended.") && ended.out.contains("revision  12")) << ended.out;
}

TEST_F(Verify, SaysThatThereIsNoSuchObject) {
  put("good.db", snapshot());
  auto ended = verify_s3("none.db", {"--save", folder_ / "kept.db"});
  EXPECT_EQ(ended.status, 4);
  EXPECT_TRUE(ended.err.contains("Reading the object box/none.db failed")) << ended.err;
  EXPECT_FALSE(fs::exists(folder_ / "kept.db"));
}

TEST_F(Verify, SaysThatCredentialsAreWrong) {
  put("good.db", snapshot());
  write("credentials", credentials_text("hunter2-other"));
  auto ended = verify_s3("good.db");
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.err.contains("Check the secret key")) << ended.err;
}

TEST_F(Verify, KeepsTheSnapshotInANewFileOnly) {
  put("good.db", snapshot());
  auto kept = folder_ / "kept.db";
  EXPECT_EQ(verify_s3("good.db", {"--save", kept}).status, 0);
  EXPECT_TRUE(read_all(kept) == snapshot());
  EXPECT_EQ(fs::status(kept).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  write("kept.db", "mine");
  auto ended = verify_s3("good.db", {"--save", kept});
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.err.contains("exists already, and stays as it is.")) << ended.err;
  EXPECT_EQ(read_all(kept), "mine");
}

TEST_F(Verify, VerifiesNothingWithoutEtcdutl) {
  put("good.db", snapshot());
  std::vector<std::string> more{"--endpoint", server().url(), "--credentials-file", folder_ / "credentials"};
  auto ended = verify("s3://box/good.db", more, {{"PATH", "/none"}});
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.out.contains("The checksum that etcd appended is right.")) << ended.out;
  EXPECT_TRUE(ended.err.contains("The database was not opened: etcdutl is not installed.")) << ended.err;
  more.insert(more.end(), {"--etcdutl", "/none/etcdutl"});
  EXPECT_TRUE(verify("s3://box/good.db", more).err.contains("there is no program /none/etcdutl. Correct --etcdutl."));
}

TEST_F(Verify, GivesEtcdutlNoSecret) {
  put("good.db", snapshot());
  auto spy = folder_ / "spy";
  write("spy", "#!/bin/sh\n/usr/bin/env > " + (folder_ / "seen").string() + "\nexec " + part("KOPIUR_ETCDUTL") + " \"$@\"\n");
  fs::permissions(spy, fs::perms::owner_all);
  std::map<std::string, std::string> variables{{"AWS_ACCESS_KEY_ID", s3_server::access_key},
                                               {"AWS_SECRET_ACCESS_KEY", s3_server::secret_key}};
  EXPECT_EQ(verify("s3://box/good.db", {"--endpoint", server().url(), "--etcdutl", spy}, variables).status, 0);
  EXPECT_NE(read_all(folder_ / "seen"), "");
  EXPECT_FALSE(read_all(folder_ / "seen").contains("AWS_")) << read_all(folder_ / "seen");
}

TEST_F(Verify, ReadsAzureAndPlainUrls) {
  auto tls = make_tls(folder_ / "ca.crt");
  write("azure", R"({"tenantId":"tenant","clientId":"client","clientSecret":"hunter2"})");
  std::vector<std::string> asked;
  auto answer = [&](http::asked what) -> asio::awaitable<http::page> {
    asked.push_back(what.method + " " + what.path);
    if (what.method == "POST") co_return http::page{.body = R"({"access_token":"abc"})"};
    if (what.path == "/box/p/expired.db")
      co_return http::page{.status = 403, .body = "<Error><Code>AuthenticationFailed</Code><Message>It was hunter2.</Message></Error>"};
    if (what.path != "/box/p/good.db") co_return http::page{.status = 404, .body = "<Error><Code>BlobNotFound</Code></Error>"};
    co_return http::page{.body = snapshot()};
  };
  std::string authority = "https://127.0.0.1:{port}";
  std::vector<std::string> plain{"--ca-file", folder_ / "ca.crt", "--etcdutl", part("KOPIUR_ETCDUTL")}, azure = plain;
  azure.insert(azure.end(), {"--endpoint", authority, "--credentials-file", folder_ / "azure"});
  stand_in other{.answer = answer, .tls = tls};
  auto ended = verify(authority + "/box/p/good.db", azure, {{"AZURE_AUTHORITY_HOST", authority}}, other);
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(asked, (std::vector<std::string>{"POST /tenant/oauth2/v2.0/token", "GET /box/p/good.db"}));
  EXPECT_EQ(verify(authority + "/box/p/none.db", azure, {{"AZURE_AUTHORITY_HOST", authority}}, other).status, 4);
  ended = verify(authority + "/box/p/good.db?sig=hunter2", plain, {}, other);
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(verify(authority + "/box/p/none.db?sig=hunter2", plain, {}, other).status, 4);
  ended = verify(authority + "/box/p/expired.db?sig=hunter2", plain, {}, other);
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.err.contains("the server answered 403 AuthenticationFailed. The URL may have expired")) << ended.err;
}

/// A server that promises more than it sends.
TEST_F(Verify, NoticesAnAnswerThatEndsTooEarly) {
  asio::io_context loop;
  asio::ip::tcp::acceptor door(loop, {asio::ip::make_address("127.0.0.1"), 0});
  auto url = "http://127.0.0.1:" + std::to_string(door.local_endpoint().port()) + "/good.db";
  std::thread sender([&] {
    auto guest = door.accept();
    asio::streambuf heard;
    asio::read_until(guest, heard, "\r\n\r\n");
    asio::write(guest, asio::buffer("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(snapshot().size()) + "\r\n\r\n" +
                                    snapshot().substr(0, 4096)));
  });
  auto kept = folder_ / "kept.db";
  auto ended = verify(url, {"--save", kept});
  sender.join();
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.err.contains("Reading " + url + " failed: ")) << ended.err;
  EXPECT_FALSE(fs::exists(kept));
}

TEST_F(Verify, RemovesWhatItWroteAfterASignal) {
  auto answer = [&](http::asked) -> asio::awaitable<http::page> {
    EXPECT_FALSE(fs::is_empty(folder_ / "temporary"));
    ::kill(pid_, SIGTERM);
    app::signal silence(co_await asio::this_coro::executor);
    co_await silence.wait();
    co_return http::page();
  };
  EXPECT_EQ(verify("http://127.0.0.1:{port}/good.db", {}, {}, {.answer = answer}).status, 128 + SIGTERM);
}

TEST_F(Verify, RefusesACallThatIsWrong) {
  for (std::vector<std::string> call : {std::vector<std::string>{"etcd"},
                                        {"etcd", "verify"},
                                        {"etcd", "verify", "s3://box"},
                                        {"etcd", "verify", "http://192.0.2.1/k"},
                                        {"etcd", "verify", "https://h/k", "--region", "r"}})
    EXPECT_EQ(run(call).status, 2);
  EXPECT_TRUE(run({"completion", "bash"}).out.contains("etcd) words=\"--ca-file --credentials-file"));
}

}  // namespace
}  // namespace kopiur::executor::test
