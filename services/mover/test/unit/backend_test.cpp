#include "services/mover/core/backend.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/encoding/join.hpp"
#include "services/mover/core/commands.hpp"

namespace kopiur::mover {
namespace {

run_paths const paths{"/dev/shm/x"};
std::vector<std::string> const secret_values{"s3-secret", "az-secret", "b2-secret", "dav-secret", "ssh-secret", "repo-secret"};

given everything() {
  return {{{"KOPIA_PASSWORD", "repo-secret"},
           {"AWS_ACCESS_KEY_ID", "AKID"},
           {"AWS_SECRET_ACCESS_KEY", "s3-secret"},
           {"AZURE_STORAGE_KEY", "az-secret"},
           {"B2_KEY_ID", "b2id"},
           {"B2_KEY", "b2-secret"},
           {"KOPIA_WEBDAV_USERNAME", "me"},
           {"KOPIA_WEBDAV_PASSWORD", "dav-secret"},
           {"KOPIA_SFTP_PASSWORD", "ssh-secret"},
           {"PATH", "/bin"},
           {"NATS_PASSWORD", "bus-secret"},
           {"HTTPS_PROXY", "proxy:1"}},
          {"sshKey", "gcsKey", "rcloneConfig", "caBundle"}};
}

proto::repository_access access_to(proto::backend backend) {
  return {.backend = std::move(backend), .username = "kopiur", .hostname = "lab", .secrets = "/secrets"};
}

std::string words(arguments const& all) { return encoding::join(all, " "); }

struct row {
  proto::backend backend;
  std::string arguments;
  bool keys_in_config;
};

std::vector<row> table() {
  return {
      {proto::filesystem_backend{.path = "/nas/repository"}, "filesystem --path=/nas/repository", false},
      {proto::s3_backend{.bucket = "b"}, "s3 --bucket=b --root-ca-pem-path=/secrets/caBundle", true},
      {proto::s3_backend{.bucket = "b", .prefix = "team/a", .endpoint = "http://127.0.0.1:9000/", .region = "r"},
       "s3 --bucket=b --disable-tls --endpoint=127.0.0.1:9000 --region=r --prefix=team/a/ --root-ca-pem-path=/secrets/caBundle", true},
      {proto::s3_backend{.bucket = "b", .endpoint = "s3.example", .tls = proto::tls_options{.insecure_skip_verify = true}},
       "s3 --bucket=b --endpoint=s3.example --disable-tls-verification --root-ca-pem-path=/secrets/caBundle", true},
      {proto::s3_backend{.bucket = "b", .auth = proto::backend_auth{.workload_identity = proto::workload_identity{"sa"}}},
       "s3 --bucket=b --root-ca-pem-path=/secrets/caBundle --access-key= --secret-access-key=", true},
      {proto::azure_backend{.container = "c", .prefix = "p/", .storage_account = "acct"},
       "azure --container=c --storage-account=acct --prefix=p/", true},
      {proto::gcs_backend{.bucket = "b", .prefix = "p"}, "gcs --bucket=b --prefix=p/ --credentials-file=/secrets/gcsKey", false},
      {proto::b2_backend{.bucket = "b"}, "b2 --bucket=b", true},
      {proto::sftp_backend{.host = "h", .port = 2222, .path = "/r", .username = "u", .known_hosts = "h ssh-ed25519 AAAA"},
       "sftp --host=h --port=2222 --username=u --path=/r --keyfile=/secrets/sshKey --known-hosts-data=h ssh-ed25519 AAAA", false},
      {proto::sftp_backend{.host = "h", .path = "/r", .username = "u", .insecure_skip_host_key_check = true},
       "sftp --host=h --port=22 --username=u --path=/r --keyfile=/secrets/sshKey --external --ssh-args=-i /secrets/sshKey -p 22 -o "
       "StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o BatchMode=yes",
       false},
      {proto::web_dav_backend{.url = "https://dav.example/r"}, "webdav --url=https://dav.example/r", true},
      {proto::rclone_backend{.remote_path = "remote:path"},
       "rclone --remote-path=remote:path --rclone-args=--config=/dev/shm/x/rclone.conf", false},
  };
}

TEST(Backend, BecomesArgumentsWithoutASecretInThem) {
  for (auto const& [backend, expected, keys] : table()) {
    auto connection = connection_to(access_to(backend), everything(), paths);
    ASSERT_TRUE(connection) << connection.error().message;
    EXPECT_EQ(words(connection->arguments), expected);
    EXPECT_EQ(connection->keys_in_config, keys) << expected;
    auto access = access_to(backend);
    auto command = words(connect_command(*connection, {access}, paths));
    for (auto const& secret : secret_values) EXPECT_EQ(command.find(secret), std::string::npos) << command;
  }
}

TEST(Backend, OnAVolumeIsBelowItsMount) {
  auto access = access_to(proto::filesystem_backend{.path = "kopia"});
  access.mount = "/repository";
  EXPECT_EQ(words(connection_to(access, everything(), paths)->arguments), "filesystem --path=/repository/kopia");
  access.mount.clear();
  EXPECT_FALSE(connection_to(access, everything(), paths)) << "relative to nothing";
}

TEST(Backend, SftpWithAPasswordUsesATokenFile) {
  auto from = everything();
  from.secret_files.clear();
  auto connection =
      connection_to(access_to(proto::sftp_backend{.host = "h", .path = "/r", .username = "u", .known_hosts = "k"}), from, paths);
  ASSERT_TRUE(connection) << connection.error().message;
  EXPECT_EQ(words(connection->arguments), "from-config --token-file=/dev/shm/x/token");
  EXPECT_EQ(connection->token,
            "eyJ2ZXJzaW9uIjoiMSIsInN0b3JhZ2UiOnsidHlwZSI6InNmdHAiLCJjb25maWciOnsicGF0aCI6Ii9yIiwiaG9zdCI6ImgiLCJwb3J0IjoyMiwidXNlcm5hbWUiOi"
            "J1IiwicGFzc3dvcmQiOiJzc2"
            "gtc2VjcmV0Iiwia25vd25Ib3N0c0RhdGEiOiJrIn19fQ");
}

TEST(Backend, WithoutItsSecretsNamesThem) {
  given const nothing{};
  struct miss {
    proto::backend backend;
    std::string expected;
  };
  std::vector<miss> const misses = {
      {proto::s3_backend{.bucket = "b"}, "AWS_ACCESS_KEY_ID"},
      {proto::azure_backend{.container = "c"}, "AZURE_STORAGE_KEY"},
      {proto::gcs_backend{.bucket = "b"}, "service account"},
      {proto::b2_backend{.bucket = "b"}, "B2_KEY_ID"},
      {proto::sftp_backend{.host = "h", .known_hosts = "k"}, "private key or a password"},
      {proto::sftp_backend{.host = "h"}, "knownHosts"},
      {proto::sftp_backend{.host = "h", .username = "-oProxyCommand=x", .known_hosts = "k"}, "must not begin with"},
      {proto::sftp_backend{.host = "-oProxyCommand=x", .username = "u", .known_hosts = "k"}, "must not begin with"},
      {proto::rclone_backend{.remote_path = "r:"}, "configSecretRef"},
      {proto::web_dav_backend{.url = "https://me:pw@host/x"}, "no user and password"},
      {proto::web_dav_backend{.url = "host/x"}, "http://"},
  };
  for (auto const& [backend, expected] : misses) {
    auto connection = connection_to(access_to(backend), nothing, paths);
    ASSERT_FALSE(connection) << expected;
    EXPECT_EQ(connection.error().class_, proto::kopia_failure::BackendMisconfigured);
    EXPECT_NE(connection.error().message.find(expected), std::string::npos) << connection.error().message;
  }
}

TEST(Environment, HoldsOursAndTheBackendsAndNothingElse) {
  auto from = everything();
  auto connection = connection_to(access_to(proto::s3_backend{.bucket = "b"}), from, paths).value();
  auto all = kopia_environment(connection, from, paths);
  EXPECT_EQ(all.at("KOPIA_CONFIG_PATH"), "/dev/shm/x/repository.config");
  EXPECT_EQ(all.at("KOPIA_CHECK_FOR_UPDATES"), "false");
  EXPECT_EQ(all.at("KOPIA_PERSIST_CREDENTIALS_ON_CONNECT"), "false");
  EXPECT_EQ(all.at("KOPIA_USE_KEYRING"), "false");
  EXPECT_EQ(all.at("AWS_SECRET_ACCESS_KEY"), "s3-secret");
  EXPECT_EQ(all.at("HTTPS_PROXY"), "proxy:1");
  for (auto* absent : {"NATS_PASSWORD", "B2_KEY", "KOPIA_WEBDAV_PASSWORD", "KOPIA_CACHE_DIRECTORY", "KOPIA_SFTP_PASSWORD"})
    EXPECT_FALSE(all.contains(absent)) << absent;
}

TEST(Environment, KnowsWhatMustNotBePrinted) {
  auto secrets = secrets_in(everything().variables);
  for (auto const& each : secret_values) EXPECT_NE(std::ranges::find(secrets, each), secrets.end()) << each;
  EXPECT_EQ(std::ranges::find(secrets, "/bin"), secrets.end());
}

TEST(Commands, CacheOnlyInAFolderOfTheRepositorysOwn) {
  connection connection{.arguments = {"filesystem", "--path=/r"}};
  auto access = access_to(proto::filesystem_backend{.path = "/r"});
  EXPECT_NE(words(connect_command(connection, {access}, paths))
                .find("--content-cache-size-mb=1 --content-cache-size-limit-mb=1 --metadata-cache-size-mb=1"),
            std::string::npos);
  access.cache_directory = "/cache";
  access.unique_ID = "id";
  EXPECT_EQ(words(connect_command(connection, {access}, paths)).find("cache-size"), std::string::npos);
  access.content_cache_MB = 100;
  EXPECT_NE(words(connect_command(connection, {access}, paths)).find("--content-cache-size-mb=100 --content-cache-size-limit-mb=100"),
            std::string::npos);
}

TEST(Commands, AllKeepKopiaFromActingOnItsOwn) {
  proto::repository_access access = access_to(proto::filesystem_backend{.path = "/r"});
  connection connection{.arguments = {"filesystem", "--path=/r"}};
  proto::snapshot_work snapshot{.path = "/data", .source = {"u", "h", "/data"}, .tags = {{"k", "v:w"}}};
  snapshot.start_time = snapshot.end_time = instant_from("2026-01-02T03:04:05.678Z");
  proto::restore_work restore{std::string(32, 'a'), {"u", "h", "/data"}, "/target"};
  for (auto const& command :
       {connect_command(connection, {access}, paths), create_command(connection, {access}, paths, {}), status_command(),
        show_policy_command(""), keep_everything_command(), import_policy_command(paths), snapshot_command(snapshot, "run-1"),
        list_command(), delete_command({"a"}), show_manifest_command("a"), show_object_command("k1", "/x"), serve_command(paths),
        restore_command(restore, "/target"), maintenance_info_command(), set_owner_command("u@h"), maintain_command(true)}) {
    EXPECT_NE(std::ranges::find(command, "--no-auto-maintenance"), command.end()) << words(command);
    EXPECT_NE(std::ranges::find(command, "--disable-file-logging"), command.end()) << words(command);
    EXPECT_EQ(std::ranges::count(command, "--progress") + std::ranges::count(command, "--no-progress"), 1) << words(command);
  }
  auto text = words(snapshot_command(snapshot, "run-1"));
  for (auto* expected : {"--override-source=u@h:/data", "--tags=kopiur-run:run-1", "--tags=k:v:w", "--start-time=2026-01-02 03:04:05 UTC"})
    EXPECT_NE(text.find(expected), std::string::npos) << text;
  EXPECT_FALSE(text.contains("kopiur-baseline")) << text;
  EXPECT_TRUE(words(snapshot_command(snapshot, "run-1", proto::baseline{"abc", 50})).contains("--tags=kopiur-baseline:abc/50"));
  EXPECT_EQ(show_object_command("k1", "/a/b/")[1], "k1/a/b");
  EXPECT_EQ(show_object_command("k1", "/")[1], "k1");
  EXPECT_EQ(show_object_command("k1", "")[1], "k1");
}

TEST(Commands, OfARestoreSayWhatItsOptionsSay) {
  proto::restore_work plain{.snapshot_ID = "id", .source = {}, .target = "/t", .options = {}};
  auto text = words(restore_command(plain, "/seen"));
  for (auto* option : {"restore id /seen", "--write-files-atomically", "--ignore-permission-errors", "--no-delete-extra"})
    EXPECT_NE(text.find(option), std::string::npos) << text;
  for (auto* unasked : {"--parallel", "--skip-", "--write-sparse-files"}) EXPECT_EQ(text.find(unasked), std::string::npos) << text;
  auto all = plain;
  all.options = {.path = "a/b", .parallel = 3, .overwrite_files = false, .skip_owners = true, .skip_permissions = true, .sparse = true};
  auto said = words(restore_command(all, "/seen"));
  for (auto* option :
       {"restore id/a/b /seen/a/b", "--parallel=3", "--skip-existing", "--skip-owners", "--skip-permissions", "--write-sparse-files"})
    EXPECT_NE(said.find(option), std::string::npos) << said;
}

}  // namespace
}  // namespace kopiur::mover
