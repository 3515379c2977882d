#include <csignal>

#include "services/executor/test/store.hpp"

namespace kopiur::executor::test {
namespace {

std::string content_of(std::string key) {
  std::string all;
  with_box([&](blob::store& store) -> asio::awaitable<void> {
    auto content = co_await store.get("box", {key}, {});
    EXPECT_TRUE(content) << content.error().message;
    std::string piece(1 << 20, 0);
    while (content) {
      auto length = co_await content->read(asio::buffer(piece));
      if (!length || *length == 0) break;
      all.append(piece, 0, *length);
    }
  });
  return all;
}

class Upload : public Program {
 protected:
  Upload() {
    with_box([](blob::store&) -> asio::awaitable<void> { co_return; });
    write("credentials", credentials_text());
  }
  void write(std::string name, std::string const& text) { std::ofstream(folder_ / name, std::ios::binary) << text; }
  std::string write_snapshot(std::size_t length, std::uint32_t seed) {
    std::string text(length, 0);
    for (auto& each : text) seed = seed * 1664525U + 1013904223U, each = static_cast<char>(seed >> 24);
    write("snapshot.db", text);
    return text;
  }
  /// The arguments of an upload to `prefix`, at the second 1000.
  std::vector<std::string> arguments(std::string prefix, std::vector<std::string> more = {}) {
    std::vector<std::string> all{"etcd-upload", "--snapshot-path", (folder_ / "snapshot.db").string(), "--storage-type", "S3"};
    for (std::string each : {"--aws-bucket", "box", "--aws-region", "us-east-1", "--now", "1000", "--key-prefix"}) all.push_back(each);
    all.push_back(prefix);
    if (std::ranges::find(more, "--endpoint") == more.end()) more.insert(more.end(), {"--endpoint", server().url()});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::vector<std::string> credentials_file() { return {"--credentials-file", (folder_ / "credentials").string()}; }
};

constexpr std::size_t mib = 1 << 20;

TEST_F(Upload, StoresTheSnapshotAsItIs) {
  for (std::size_t size : {7 * mib, 20 * mib + 1}) {
    auto snapshot = write_snapshot(size, 1);
    auto prefix = "as-it-is/" + std::to_string(size) + "/";
    auto ended = run(arguments(prefix, credentials_file()));
    EXPECT_EQ(ended.status, 0) << ended.err;
    auto url = "s3://box/" + prefix + "1000.db";
    EXPECT_EQ(ended.out, url + "\n");
    EXPECT_EQ(ended.termination_log, url);
    EXPECT_TRUE(content_of(prefix + "1000.db") == snapshot) << size;
  }
}

TEST_F(Upload, NeverOverwritesAnObject) {
  for (std::size_t size : {mib, 20 * mib}) {
    auto old = write_snapshot(size, 1);
    auto prefix = "kept/" + std::to_string(size);
    auto more = credentials_file();
    more.insert(more.end(), {"--key-suffix", "uid-1"});
    EXPECT_EQ(run(arguments(prefix, more)).status, 0);
    write_snapshot(size, 2);
    auto ended = run(arguments(prefix, more));
    EXPECT_EQ(ended.status, 1);
    EXPECT_TRUE(ended.err.starts_with("The object s3://box/" + prefix + "/1000-uid-1.db exists already, and nothing was overwritten."))
        << ended.err;
    EXPECT_EQ(ended.err, ended.termination_log + "\n");
    EXPECT_EQ(ended.out, "");
    EXPECT_TRUE(content_of(prefix + "/1000-uid-1.db") == old) << size;
    more.back() = "uid-2";
    EXPECT_EQ(run(arguments(prefix, more)).status, 0) << "of the same second";
  }
}

TEST_F(Upload, NeedsASnapshot) {
  auto away = credentials_file();
  away.insert(away.end(), {"--endpoint", "http://127.0.0.1:1"});  // nothing is sent
  auto ended = run(arguments("p", away));
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.termination_log.contains("does not exist")) << ended.termination_log;
  write_snapshot(0, 1);
  ended = run(arguments("p", away));
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.termination_log.contains("is empty")) << ended.termination_log;
}

TEST_F(Upload, SaysWhatIsWrongWithItsCredentials) {
  write_snapshot(mib, 1);
  EXPECT_TRUE(run(arguments("p")).termination_log.starts_with("There are no credentials. Give --credentials-file"));
  EXPECT_TRUE(run(arguments("p", {"--credentials-file", "/none"})).termination_log.contains("/none does not exist. Mount the Secret"));
  write("credentials", "[default]\naws_access_key_id = hunter2\n");
  auto ended = run(arguments("p", credentials_file()));
  EXPECT_TRUE(ended.termination_log.contains("has no aws_secret_access_key. Add it.")) << ended.termination_log;
  write("credentials", credentials_text("hunter2"));
  ended = run(arguments("p", credentials_file()));
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.termination_log.contains("Check the secret key")) << ended.termination_log;
  EXPECT_FALSE((ended.out + ended.err + ended.termination_log).contains("hunter2"));
}

TEST_F(Upload, AssumesARoleWithTheTokenOfThePod) {
  auto snapshot = write_snapshot(mib, 1);
  write("token", "jwt-1\n");
  std::string form;
  auto answer = [&](http::asked what) -> asio::awaitable<http::page> {
    form = what.method + " " + what.path + " " + what.body;
    co_return http::page{
        .body = "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>" +
                std::string(s3_server::access_key) + "</AccessKeyId><SecretAccessKey>" + s3_server::secret_key +
                "</SecretAccessKey><SessionToken>session</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration></Credentials>"
                "</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>"};
  };
  std::map<std::string, std::string> variables{{"AWS_ROLE_ARN", " arn:aws:iam::1:role/r\n"},
                                               {"AWS_WEB_IDENTITY_TOKEN_FILE", (folder_ / "token").string()}};
  auto ended = run(arguments("role", {"--sts-endpoint", "http://127.0.0.1:{port}"}), variables, {.answer = answer});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(content_of("role/1000.db") == snapshot);
  EXPECT_TRUE(form.starts_with("POST / Action=AssumeRoleWithWebIdentity&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr&")) << form;
  EXPECT_TRUE(form.ends_with("&WebIdentityToken=jwt-1")) << form;

  auto refuses = [](http::asked) -> asio::awaitable<http::page> {
    co_return http::page{.status = 403,
                         .body = "<ErrorResponse><Error><Code>AccessDenied</Code><Message>No.</Message></Error></ErrorResponse>"};
  };
  ended = run(arguments("role", {"--sts-endpoint", "http://127.0.0.1:{port}"}), variables, {.answer = refuses});
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.termination_log.contains("STS answered 403 AccessDenied: No. Allow it in the role's trust policy")) << ended.err;
}

TEST_F(Upload, SaysThatTheBucketDoesNotExist) {
  write_snapshot(mib, 1);
  auto more = credentials_file();
  more.insert(more.end(), {"--aws-bucket=none"});
  auto all = arguments("p", more);
  std::erase(all, "--aws-bucket"), std::erase(all, "box");
  auto ended = run(all);
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.termination_log.contains("Create the bucket, or check its name")) << ended.termination_log;
}

TEST_F(Upload, IsAbortedByASignal) {
  write_snapshot(20 * mib, 1);
  std::vector<std::string> methods;
  auto answer = [&](http::asked what) -> asio::awaitable<http::page> {
    methods.push_back(what.method);
    if (what.method == "PUT") {  // the first part, which is never confirmed
      ::kill(pid_, SIGTERM);
      app::signal silence(co_await asio::this_coro::executor);
      co_await silence.wait();
    }
    if (what.method == "DELETE") co_return http::page{.status = 204};
    co_return http::page{.body = "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>"};
  };
  auto more = credentials_file();
  more.insert(more.end(), {"--endpoint", "http://127.0.0.1:{port}"});
  auto ended = run(arguments("p", more), {}, {.answer = answer, .longest = 16 * mib});
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.termination_log, "A signal ended the program before it was done.");
  EXPECT_EQ(methods, (std::vector<std::string>{"POST", "PUT", "DELETE"}));
}

TEST_F(Upload, RefusesACallThatIsWrong) {
  for (std::vector<std::string> call : {std::vector<std::string>{}, {"etcd-upload"}, {"snapshot"}, {"etcd-upload", "--none"}}) {
    auto ended = run(call);
    EXPECT_EQ(ended.status, 2);
    EXPECT_NE(ended.err, "");
    EXPECT_EQ(ended.termination_log, "old") << "it began nothing";
  }
  EXPECT_EQ(run({"--help"}).status, 0);
  auto ended = run({"etcd-upload", "--storage-type", "S3", "--snapshot-path", "/s", "--key-prefix", "p"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_TRUE(ended.err.starts_with("--storage-type S3 needs --aws-bucket, --aws-region.")) << ended.err;
}

TEST_F(Upload, DoesTheSameUnderTheNameOfTheControlPlaneOperator) {
  auto snapshot = write_snapshot(mib, 1);
  fs::create_symlink(fs::absolute(program_), folder_ / "control-plane-operator");
  program_ = folder_ / "control-plane-operator";
  auto ended = run(arguments("other-name", credentials_file()));
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(content_of("other-name/1000.db") == snapshot);
  EXPECT_TRUE(run({"--help"}).out.contains("Usage: control-plane-operator"));
}

}  // namespace
}  // namespace kopiur::executor::test
