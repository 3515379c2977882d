#include "services/executor/core/openbao/settings.hpp"

#include <gtest/gtest.h>

#include "services/executor/core/openbao/names.hpp"

namespace kopiur::executor::openbao {
namespace {

environment restore_job() {
  return {{"CLUSTER_NAME", "bao"},          {"CLUSTER_NAMESPACE", "ns"}, {"CLUSTER_REPLICAS", "3"},       {"BACKUP_BUCKET", "box"},
          {"BACKUP_JWT_AUTH_ROLE", "r"},    {"RESTORE_KEY", "a/b.snap"}, {"RESTORE_REQUEST_NAME", "one"}, {"RESTORE_REQUEST_UID", "uid-1"},
          {"RESTORE_OPERATION_ID", "op-1"}, {"POD_UID", "pod-1"}};
}

environment with(environment base, environment const& more) {
  for (auto& [name, value] : more) base[name] = value;
  return base;
}

std::string problem_of(environment const& variables) {
  auto read = read_restore(variables);
  return read ? "" : read.error();
}

TEST(OpenBaoSettings, HasUpstreamsDefaults) {
  auto read = read_restore(restore_job());
  EXPECT_TRUE(read) << read.error();
  if (!read) return;
  EXPECT_EQ(read->cluster.host(2), "bao-2.bao.ns.svc");
  EXPECT_EQ(read->cluster.ca_file, "/etc/bao/tls/ca.crt");
  EXPECT_EQ(read->login.jwt_file, "/var/run/secrets/tokens/openbao-token");
  EXPECT_EQ(read->login.token_file, "/etc/bao/backup/token/token");
  EXPECT_EQ(read->store.credentials, "/etc/bao/backup/credentials");
  EXPECT_EQ(read->staging, "/var/lib/openbao-restore");
  EXPECT_FALSE(read->force || read->deadline || read->expected_size || read->store.path_style);
}

TEST(OpenBaoSettings, NamesTheMembersByTheStatefulSet) {
  auto read = read_restore(with(restore_job(), {{"STATEFULSET_NAME", "bao-green"}, {"CLUSTER_DOMAIN_SUFFIX", ".cluster.local"}}));
  EXPECT_TRUE(read && read->cluster.host(0) == "bao-green-0.bao.ns.svc.cluster.local");
  read = read_restore(with(restore_job(), {{"CLUSTER_DOMAIN_SUFFIX", "cluster.local"}}));
  EXPECT_TRUE(read && read->cluster.host(0) == "bao-0.bao.ns.svc.cluster.local");
}

TEST(OpenBaoSettings, VariablesOfTheRestoreWin) {
  environment both{{"BACKUP_ENDPOINT", "http://b"},    {"RESTORE_ENDPOINT", "http://r"}, {"RESTORE_BUCKET", "other"},
                   {"BACKUP_REGION", "eu-west-1"},     {"RESTORE_REGION", "eu-west-2"},  {"BACKUP_USE_PATH_STYLE", "true"},
                   {"RESTORE_USE_PATH_STYLE", "false"}};
  auto restore = read_restore(with(restore_job(), both));
  EXPECT_TRUE(restore && restore->store.endpoint == "http://r" && restore->store.bucket == "other");
  EXPECT_TRUE(restore && restore->store.region == "eu-west-2" && !restore->store.path_style);
  auto backup = read_backup(with(restore_job(), both));
  EXPECT_TRUE(backup && backup->store.endpoint == "http://b" && backup->store.bucket == "box");
  EXPECT_TRUE(backup && backup->store.region == "eu-west-1" && backup->store.path_style);
  both.erase("RESTORE_USE_PATH_STYLE");
  restore = read_restore(with(restore_job(), both));
  EXPECT_TRUE(restore && restore->store.path_style);
}

TEST(OpenBaoSettings, NameTheVariableThatIsWrong) {
  struct wrong {
    std::string name, value;
  };
  std::vector<wrong> all{{"CLUSTER_NAME", ""},
                         {"CLUSTER_NAMESPACE", " "},
                         {"CLUSTER_REPLICAS", ""},
                         {"CLUSTER_REPLICAS", "0"},
                         {"CLUSTER_REPLICAS", "3x"},
                         {"BACKUP_BUCKET", ""},
                         {"BACKUP_PROVIDER", "ftp"},
                         {"BACKUP_AUTH_METHOD", "basic"},
                         {"RESTORE_KEY", ""},
                         {"RESTORE_REQUEST_NAME", ""},
                         {"RESTORE_REQUEST_UID", ""},
                         {"RESTORE_OPERATION_ID", ""},
                         {"POD_UID", ""},
                         {"RESTORE_FORCE", "perhaps"},
                         {"RESTORE_PREPARATION_DEADLINE", "soon"},
                         {"RESTORE_EXPECTED_SIZE", "0"},
                         {"RESTORE_EXPECTED_SIZE", "8589934593"},
                         {"RESTORE_EXPECTED_DIGEST", "sha256:abc"},
                         {"RESTORE_EXPECTED_DIGEST", "sha1:" + std::string(64, 'a')}};
  for (auto& each : all)
    EXPECT_TRUE(problem_of(with(restore_job(), {{each.name, each.value}})).contains(each.name)) << each.name << "=" << each.value;
  EXPECT_TRUE(
      problem_of(with(restore_job(), {{"BACKUP_AUTH_METHOD", "jwt"}, {"BACKUP_JWT_AUTH_ROLE", ""}})).contains("BACKUP_JWT_AUTH_ROLE"));
  EXPECT_EQ(problem_of(with(restore_job(), {{"RESTORE_EXPECTED_DIGEST", "sha256:" + std::string(64, 'A')}})), "");
}

TEST(OpenBaoSettings, ATokenIsUsedWithoutARole) {
  auto read = read_restore(with(restore_job(), {{"BACKUP_JWT_AUTH_ROLE", ""}}));
  EXPECT_TRUE(read && read->login.role.empty());
  read = read_restore(with(restore_job(), {{"BACKUP_AUTH_METHOD", "token"}}));
  EXPECT_TRUE(read && read->login.role.empty());
}

TEST(OpenBaoSettings, AzureHasAContainer) {
  auto read =
      read_restore(with(restore_job(), {{"BACKUP_PROVIDER", "azure"}, {"BACKUP_AZURE_CONTAINER", "crate"}, {"RESTORE_BUCKET", "x"}}));
  EXPECT_TRUE(read && read->store.bucket == "crate");
  read = read_restore(with(restore_job(), {{"BACKUP_PROVIDER", "azure"}}));
  EXPECT_TRUE(read && read->store.bucket == "box");
}

TEST(OpenBaoSettings, SettleWaitsTenMinutes) {
  auto read = read_settle(restore_job());
  EXPECT_TRUE(read && read->limit == std::chrono::minutes(10));
  read = read_settle(with(restore_job(), {{"SETTLE_SECONDS", "5"}}));
  EXPECT_TRUE(read && read->limit == std::chrono::seconds(5));
}

TEST(OpenBaoNames, ABackupsKeyIsUpstreams) {
  backup_settings what{.cluster = {.name = "bao", .ns = "ns"}};
  instant when = instant_from("2025-01-15T03:00:00.5Z").value();
  EXPECT_EQ(backup_key(what, when, "0a1b2c3d"), "ns/bao/2025-01-15T03-00-00Z-0a1b2c3d.snap");
  what.path_prefix = "/deep/er/", what.filename_prefix = "pre-upgrade";
  EXPECT_EQ(backup_key(what, when, "0a1b2c3d"), "deep/er/ns/bao/pre-upgrade-2025-01-15T03-00-00Z-0a1b2c3d.snap");
  what.key = "mine.snap";
  EXPECT_EQ(backup_key(what, when, "0a1b2c3d"), "mine.snap");
}

TEST(OpenBaoNames, AzureIsFoundBySettingsOrConnectionString) {
  store_place place{.provider = store_place::kind::azure, .azure_account = "acct"};
  auto found = azure_account_of(place, "", "a2V5");
  EXPECT_TRUE(found && found->endpoint == "https://acct.blob.core.windows.net" && found->key == "key");
  place.endpoint = "http://127.0.0.1:10000/";
  found = azure_account_of(place, "", "");
  EXPECT_TRUE(found && found->endpoint == "http://127.0.0.1:10000/acct" && found->key.empty());
  place.endpoint = "https://acct.blob.core.windows.net";
  found = azure_account_of(place, "", "");
  EXPECT_TRUE(found && found->endpoint == place.endpoint);
  place.endpoint = "";
  found = azure_account_of(place, "AccountName=two;AccountKey=a2V5==;EndpointSuffix=core.chinacloudapi.cn", "");
  EXPECT_FALSE(found) << "a key that is not base64";
  found = azure_account_of(place, "DefaultEndpointsProtocol=https;AccountName=two;AccountKey=a2V5Mg==;EndpointSuffix=core.example", "a2V5");
  EXPECT_TRUE(found && found->endpoint == "https://two.blob.core.example" && found->key == "key2");
  found = azure_account_of({}, "", "");
  EXPECT_FALSE(found);
}

}  // namespace
}  // namespace kopiur::executor::openbao
