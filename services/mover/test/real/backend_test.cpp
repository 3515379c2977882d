#include "services/mover/test/real/lab.hpp"
#include "services/mover/test/real/server.hpp"

namespace kopiur::mover::test {
namespace {

using enum proto::kopia_failure;

class Backend : public lab {
 protected:
  void SetUp() override {
    write_file(source_ / "a.txt", "hello");
    write_file(source_ / "folder/b.txt", std::string(3'000'000, 'b'));
    port_ = free_port();
    environment_["HOME"] = root_;
  }
  std::string address() const { return own_host() + ":" + std::to_string(port_); }
  void start(std::vector<std::string> arguments, variables environment = {}) {
    environment["HOME"] = root_;
    environment["PATH"] = environment_["PATH"];
    server_.emplace(arguments, environment, port_, root_ / "server.log");
  }
  // A repository's whole life cycle.
  void expect_full_service() {
    create_repository();
    ASSERT_FALSE(HasFatalFailure()) << read_all(root_ / "server.log");
    auto taken = snapshot();
    ASSERT_EQ(taken.status, 0) << ::testing::PrintToString(taken);
    EXPECT_EQ(list().size(), 1U);
    auto done = run(proto::restore_work{.snapshot_ID = taken.result.snapshot->id, .source = identity_, .target = target_});
    EXPECT_EQ(done.status, 0) << ::testing::PrintToString(done);
    EXPECT_EQ(tree_of(target_), tree_of(source_));
    EXPECT_EQ(run(proto::delete_work{{{taken.result.snapshot->id, identity_}}}).status, 0);
    EXPECT_TRUE(list().empty());
  }
  void expect_nothing_left_of(std::string const& secret) {
    for (auto const& each : fs::recursive_directory_iterator(root_))
      if (each.is_regular_file() && each.path().lexically_relative(root_).string().find("server") != 0) {
        EXPECT_EQ(read_all(each).find(secret), std::string::npos) << each;
      }
  }
  /// An error that the user must fix: the message says how, and the work is not retried.
  static void expect_advice(ended const& what, std::string const& advice) {
    EXPECT_EQ(what.failed(), BackendMisconfigured) << ::testing::PrintToString(what);
    EXPECT_TRUE(what.result.failure->message.contains(advice)) << what.result.failure->message;
    EXPECT_FALSE(what.result.failure->retryable);
  }
  void use_s3(std::string const& key, std::string const& secret) {
    access_.backend = proto::s3_backend{.bucket = "backups", .prefix = "team/a", .endpoint = "http://" + address(), .region = "us-east-1"};
    environment_["AWS_ACCESS_KEY_ID"] = key;
    environment_["AWS_SECRET_ACCESS_KEY"] = secret;
  }
  void expect_s3() {
    expect_full_service();
    expect_nothing_left_of(environment_["AWS_SECRET_ACCESS_KEY"]);
    auto wrong = run(proto::connect_work{}, {.environment = {{"AWS_SECRET_ACCESS_KEY", "not-the-secret-at-all"}}});
    EXPECT_EQ(wrong.failed(), AccessDenied) << ::testing::PrintToString(wrong);
    EXPECT_EQ(run(proto::connect_work{}, {.environment = {{"AWS_SECRET_ACCESS_KEY", ""}}}).failed(), BackendMisconfigured);
    expect_advice(run(proto::connect_work{}, {.environment = {{"AWS_ACCESS_KEY_ID", environment_["AWS_ACCESS_KEY_ID"] + "\n"}}}),
                  "holds a line break");
    std::get<proto::s3_backend>(access_.backend).bucket = "no-such-bucket";
    EXPECT_EQ(run(proto::connect_work{}).failed(), NotInitialized) << "kopia does not tell a missing bucket from an empty one";
    access_.unique_ID.reset();
    auto none = run(proto::connect_work{proto::create_behavior{.enabled = true}});
    EXPECT_EQ(none.failed(), BackendMisconfigured) << ::testing::PrintToString(none);
  }

  int port_ = 0;
  std::optional<server> server_;
};

TEST_F(Backend, S3OnVersitygw) {
  fs::create_directories(root_ / "server/backups");
  start({required_program("KOPIUR_VERSITYGW", "versitygw"), "--access", "gatewaykey", "--secret", "gateway-secret-1", "--port", address(),
         "posix", root_ / "server"});
  use_s3("gatewaykey", "gateway-secret-1");
  expect_s3();
}

TEST_F(Backend, S3OnMinio) {
  start({required_program("KOPIUR_MINIO", "minio"), "server", root_ / "server", "--address", address()},
        {{"MINIO_ROOT_USER", "miniokey"}, {"MINIO_ROOT_PASSWORD", "minio-secret-1"}, {"MINIO_BROWSER", "off"}});
  auto rclone = required_program("KOPIUR_RCLONE", "rclone");
  for (int i = 0; i < 50; ++i)
    if (run_program({rclone, "--config", "/dev/null", "mkdir", "--s3-provider=Minio", "--s3-access-key-id=miniokey",
                     "--s3-secret-access-key=minio-secret-1", "--s3-endpoint=http://" + address(), ":s3:backups"},
                    {})
            .status == 0)
      break;
  use_s3("miniokey", "minio-secret-1");
  expect_s3();
}

TEST_F(Backend, WebDav) {
  fs::create_directories(root_ / "server/dav");
  start({required_program("KOPIUR_RCLONE", "rclone"), "serve", "webdav", "--addr", address(), "--user", "me", "--pass", "dav-secret-1",
         root_ / "server"});
  access_.backend = proto::web_dav_backend{.url = "http://" + address() + "/dav"};
  environment_["KOPIA_WEBDAV_USERNAME"] = "me";
  environment_["KOPIA_WEBDAV_PASSWORD"] = "dav-secret-1";
  expect_full_service();
  expect_nothing_left_of("dav-secret-1");
  auto wrong = run(proto::connect_work{}, {.environment = {{"KOPIA_WEBDAV_PASSWORD", "wrong"}}});
  EXPECT_EQ(wrong.failed(), AccessDenied) << ::testing::PrintToString(wrong);
  access_.backend = proto::web_dav_backend{.url = "http://" + address() + "/missing"};
  access_.unique_ID.reset();
  expect_advice(run(proto::connect_work{proto::create_behavior{.enabled = true}}), "make it on the server");
}

TEST_F(Backend, Rclone) {
  fs::create_directories(root_ / "server/remote");
  write_file(root_ / "secrets/rcloneConfig", "[local]\ntype = local\n");
  access_.secrets = root_ / "secrets";
  access_.backend = proto::rclone_backend{.remote_path = "local:" + (root_ / "server/remote").string()};
  required_program("KOPIUR_RCLONE", "rclone");
  expect_full_service();
}

class Sftp : public Backend {
 protected:
  void SetUp() override {
    Backend::SetUp();
    fs::create_directories(root_ / "server/repository");
    for (auto* name : {"host", "user"})
      ASSERT_EQ(run_program({"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", root_ / name}, {}).status, 0);
    fs::rename(root_ / "user", root_ / "secrets/sshKey");
    access_.secrets = root_ / "secrets";
    auto key = read_all(root_ / "host.pub");
    known_ = "[" + own_host() + "]:" + std::to_string(port_) + " " + key.substr(0, key.find(' ', key.find(' ') + 1)) + "\n";
  }
  void start_sshd() {
    write_file(root_ / "sshd_config", "Port " + std::to_string(port_) + "\nListenAddress " + own_host() + "\nHostKey " +
                                          (root_ / "host").string() + "\nAuthorizedKeysFile " + (root_ / "user.pub").string() +
                                          "\nStrictModes no\nUsePAM no\nPidFile none\nPermitRootLogin yes\nSubsystem sftp internal-sftp\n");
    fs::create_directories("/run/sshd");
    start({"/usr/sbin/sshd", "-D", "-e", "-f", root_ / "sshd_config"});
  }
  proto::sftp_backend backend(std::string user) {
    return {.host = own_host(), .port = port_, .path = root_ / "server/repository", .username = std::move(user), .known_hosts = known_};
  }
  std::string known_;
};

TEST_F(Sftp, WithAPrivateKeyOnSshd) {
  start_sshd();
  access_.backend = backend("root");
  expect_full_service();
  auto stranger = backend("root");
  auto index = known_.find("AAAA");
  stranger.known_hosts = known_.substr(0, index + 40) + "AAAAAAAAAAAAAAAAAAAAAAAAAAAA\n";
  access_.backend = stranger;
  auto refused = run(proto::connect_work{});
  EXPECT_EQ(refused.failed(), BackendMisconfigured) << ::testing::PrintToString(refused);
  fs::remove(root_ / "user.pub");
  access_.backend = backend("root");
  auto denied = run(proto::connect_work{});
  EXPECT_EQ(denied.failed(), AccessDenied) << ::testing::PrintToString(denied);
}

/// Trials, T12: a wrong key is a configuration error, not an unreachable server, and is not retried.
TEST_F(Sftp, SaysWhatIsWrongWithAKey) {
  start_sshd();
  access_.backend = backend("root");
  ASSERT_EQ(run_program({"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "a phrase", "-f", root_ / "locked"}, {}).status, 0);
  auto key = read_all(root_ / "secrets/sshKey");
  for (auto& [content, advice] :
       std::map<std::string, std::string>{{read_all(root_ / "locked"), "protected by a passphrase"},
                                          {key.substr(0, key.size() / 2), "is not a private key, or is truncated"},
                                          {read_all(root_ / "user.pub"), "is not a private key, or is truncated"}}) {
    write_file(root_ / "secrets/sshKey", content);
    expect_advice(run(proto::connect_work{}), advice);
  }
}

TEST_F(Sftp, WithAPasswordThatNeverIsAnArgument) {
  fs::remove(root_ / "secrets/sshKey");
  start({required_program("KOPIUR_RCLONE", "rclone"), "serve", "sftp", "--addr", address(), "--user", "me", "--pass", "sftp-secret-1",
         "--key", root_ / "host", root_ / "server"});
  auto login = backend("me");
  login.path = "/repository";
  access_.backend = login;
  environment_["KOPIA_SFTP_PASSWORD"] = "sftp-secret-1";
  expect_full_service();
  expect_nothing_left_of("sftp-secret-1");
  auto wrong = run(proto::connect_work{}, {.environment = {{"KOPIA_SFTP_PASSWORD", "wrong-one"}}});
  EXPECT_EQ(wrong.failed(), AccessDenied) << ::testing::PrintToString(wrong);
}

}  // namespace
}  // namespace kopiur::mover::test
