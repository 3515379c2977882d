#include <gtest/gtest.h>

#include "common/config/manifest.hpp"
#include "proto/validate.hpp"

/// What the kinds of hypershift take and refuse, case by case as HyperShift's own tests of its kind, and the changes that they refuse. The
/// manifests in `bad/` show one finding for each rule.
namespace kopiur::proto {
namespace {

json::value yaml(std::string_view kind, std::string const& rest) {
  auto text = "apiVersion: hypershift.openshift.io/v1beta1\nkind: " + std::string(kind) +
              "\nmetadata: {name: one, namespace: clusters-prod}\n" + rest;
  auto read = config::read_manifests(text, "test");
  EXPECT_TRUE(read) << read.error().text();
  return read->front().content;
}

/// Where the update is refused, and why; empty: it is not.
std::string refusal(std::string_view kind, std::string const& old, std::string const& now) {
  auto before = yaml(kind, old);
  for (auto& wrong : validate(kind, before)) ADD_FAILURE() << wrong.text();
  std::string all;
  for (auto& wrong : validate_update(kind, before, yaml(kind, now))) all += (all.empty() ? "" : "; ") + wrong.path + ": " + wrong.message;
  return all;
}

struct change {
  std::string old, now, says;
};

std::string with(std::string text, std::string_view part, std::string_view other) {
  return text.replace(text.find(part), part.size(), other);
}

constexpr auto immutable_backup = "spec: EtcdBackupSpec is immutable.";
std::string const s3 = "spec: {storageType: S3, s3: {bucket: bbb, region: us-east-1, keyPrefix: p, credentialsSecretRef: {name: s}}}";
std::string const blob =
    "spec: {storageType: AzureBlob, azureBlob: {container: ccc, storageAccount: aaa, keyPrefix: p, credentialsSecretRef: {name: s}}}";

TEST(EtcdBackups, KeepTheirSpec) {
  change const changes[] = {
      {s3, with(s3, "bbb", "other"), immutable_backup},
      {blob, with(blob, "ccc", "other"), immutable_backup},
      {s3, with(s3, "keyPrefix: p", "keyPrefix: q"), immutable_backup},
      {s3, with(s3, "name: s", "name: t"), immutable_backup},
      {s3, blob, immutable_backup},
      {s3, s3, ""},
      {blob, blob, ""},
  };
  for (auto& each : changes) EXPECT_EQ(refusal("EtcdBackup", each.old, each.now), each.says) << each.now;
  auto sorted = "spec: {s3: {credentialsSecretRef: {name: s}, keyPrefix: p, region: us-east-1, bucket: bbb}, storageType: S3}";
  EXPECT_EQ(refusal("EtcdBackup", s3, sorted), "") << "the order of fields is no change";
}

TEST(EtcdBackups, HaveAStatusOfTheRightForm) {
  change const changes[] = {
      {s3, s3 + "\nstatus: {snapshotURL: 'http://b/1.db'}", "status.snapshotURL: snapshotURL must be a valid URL with scheme https or s3."},
      {s3, s3 + "\nstatus: {snapshotURL: 's3://b/1.db', encryptionMetadata: {kmsEncryption: Disabled}}", ""},
      {s3, s3 + "\nstatus: {encryptionMetadata: {kmsKeyID: k}}",
       "status.encryptionMetadata.kmsEncryption: It is missing, and has no default."},
      {s3, s3 + "\nstatus: {encryptionMetadata: {kmsEncryption: Maybe}}",
       "status.encryptionMetadata.kmsEncryption: `Maybe` is none of Enabled, Disabled."},
  };
  for (auto& each : changes) EXPECT_EQ(refusal("EtcdBackup", each.old, each.now), each.says) << each.now;
}

constexpr auto kind = "HCPEtcdBackup";
std::string const hcp_s3 =
    "spec: {storage: {storageType: S3, s3: {bucket: my-backup-bucket, region: us-east-1, keyPrefix: backups/etcd, credentials: {name: "
    "aws}}}}";
std::string const hcp_blob =
    "spec: {storage: {storageType: AzureBlob, azureBlob: {container: my-container, storageAccount: myaccount, keyPrefix: backups/etcd, "
    "credentials: {name: azure}}}}";
std::string const arn = "arn:aws:kms:us-east-1:123456789012:key/12345678-1234-1234-1234-123456789012";
std::string const url = "https://my-vault.vault.azure.net/keys/my-key/abc123";

/// The finding of a new object; empty: it is taken.
std::string refused(std::string const& spec) {
  std::string all;
  for (auto& wrong : validate(kind, yaml(kind, spec))) all += (all.empty() ? "" : "; ") + wrong.path + ": " + wrong.message;
  return all;
}
std::string s3_with_key(std::string const& key) { return with(hcp_s3, "{name: aws}", "{name: aws}, kmsKeyARN: '" + key + "'"); }
std::string blob_with_key(std::string const& key) {
  return with(hcp_blob, "{name: azure}", "{name: azure}, encryptionKeyURL: '" + key + "'");
}

TEST(HcpEtcdBackups, AreTaken) {
  for (auto& each : {hcp_s3, hcp_blob, s3_with_key(arn), blob_with_key(url)}) EXPECT_EQ(refused(each), "") << each;
  for (auto* partition : {"aws", "aws-cn", "aws-us-gov"}) EXPECT_EQ(refused(s3_with_key(with(arn, "aws", partition))), "") << partition;
  for (std::string service : {"vault", "managedhsm"})
    for (std::string cloud : {"azure.net", "usgovcloudapi.net", "azure.cn", "microsoftazure.de", "sovcloud-api.fr"})
      for (auto* key : {"/keys/my-key", "/keys/my-key/abc123"}) {
        auto address = "https://my-name." + service + "." + cloud + key;
        EXPECT_EQ(refused(blob_with_key(address)), "") << address;
      }
  EXPECT_EQ(refused(with(hcp_s3, "backups/etcd", "\"a!b_c.d*e'f(g)/h-i\"")), "");
}

TEST(HcpEtcdBackups, GiveTheStorageOfTheirType) {
  std::string const no_s3 = "s3 configuration is required when storageType is S3, and forbidden otherwise.",
                    no_blob = "azureBlob configuration is required when storageType is AzureBlob, and forbidden otherwise.";
  auto crossed = "spec.storage.s3: " + no_s3 + "; spec.storage.azureBlob: " + no_blob;
  EXPECT_EQ(refused(with(hcp_blob, "AzureBlob", "S3")), crossed);
  EXPECT_EQ(refused(with(hcp_s3, "S3", "AzureBlob")), crossed);
  EXPECT_EQ(refused("spec: {storage: {storageType: AzureBlob}}"), "spec.storage.azureBlob: " + no_blob);
  EXPECT_EQ(refused(with(hcp_s3, "S3", "GCS")), "spec.storage.storageType: `GCS` is none of S3, AzureBlob.");
}

TEST(HcpEtcdBackups, RefuseTextsOfAnotherForm) {
  auto long_name = std::string(64, 'a');
  struct {
    std::string spec, part, other, says;
  } const cases[] = {
      {hcp_s3, "my-backup-bucket", "ab", "s3.bucket: It has 2 characters, and at least 3 are needed."},
      {hcp_s3, "my-backup-bucket", long_name, "s3.bucket: It has 64 characters, and at most 63 are allowed."},
      {hcp_s3, "my-backup-bucket", "MyBucket",
       "s3.bucket: bucket must consist of lowercase letters, numbers, hyphens, and periods, and must start and end with a letter or "
       "number."},
      {hcp_s3, "my-backup-bucket", "my..bucket", "s3.bucket: bucket must not contain consecutive periods."},
      {hcp_s3, "us-east-1", "US-EAST-1",
       "s3.region: region must consist of lowercase letters, digits, and hyphens, must start with a letter and end with an alphanumeric "
       "character."},
      {hcp_s3, "us-east-1", "us--east-1", "s3.region: region must not contain consecutive hyphens."},
      {hcp_s3, "us-east-1", "''", "s3.region: It is empty."},
      {hcp_s3, "backups/etcd", "backups/etcd snapshot",
       "s3.keyPrefix: keyPrefix must consist of safe S3 key characters: alphanumeric characters, forward slashes, hyphens, underscores, "
       "periods, exclamation marks, asterisks, single quotes, and parentheses."},
      {hcp_s3, "{name: aws}", "{name: INVALID_NAME!}",
       "s3.credentials.name: name must consist only of lowercase alphanumeric characters, hyphens, and periods. Each period-separated "
       "segment "
       "must start and end with an alphanumeric character."},
      {hcp_s3, ", credentials: {name: aws}", "", "s3.credentials: It is missing, and has no default."},
      {hcp_blob, "my-container", "ab", "azureBlob.container: It has 2 characters, and at least 3 are needed."},
      {hcp_blob, "my-container", long_name, "azureBlob.container: It has 64 characters, and at most 63 are allowed."},
      {hcp_blob, "my-container", "MyContainer",
       "azureBlob.container: container must consist of lowercase letters, numbers, and hyphens, and must start and end with a letter or "
       "number."},
      {hcp_blob, "my-container", "my--container", "azureBlob.container: container must not contain consecutive hyphens."},
      {hcp_blob, "myaccount", "ab", "azureBlob.storageAccount: It has 2 characters, and at least 3 are needed."},
      {hcp_blob, "myaccount", std::string(25, 'a'), "azureBlob.storageAccount: It has 25 characters, and at most 24 are allowed."},
      {hcp_blob, "myaccount", "my-account", "azureBlob.storageAccount: storageAccount must consist of lowercase letters and numbers only."},
      {hcp_blob, "myaccount", "MyAccount", "azureBlob.storageAccount: storageAccount must consist of lowercase letters and numbers only."},
      {hcp_blob, "backups/etcd", "backups/etcd snapshot",
       "azureBlob.keyPrefix: keyPrefix must consist of alphanumeric characters, forward slashes, hyphens, underscores, and periods."},
      {hcp_blob, "backups/etcd", std::string(1025, 'a'), "azureBlob.keyPrefix: It has 1025 characters, and at most 1024 are allowed."},
  };
  for (auto& each : cases) EXPECT_EQ(refused(with(each.spec, each.part, each.other)), "spec.storage." + each.says) << each.other;
}

TEST(HcpEtcdBackups, RefuseKeysOfAnotherForm) {
  for (auto& each : {std::string("not-a-valid-arn"), with(arn, "aws", "aws-iso"), with(arn, "123456789012", "1234"),
                     with(arn, "key/", "alias/"), arn + "/2"})
    EXPECT_EQ(refused(s3_with_key(each)),
              "spec.storage.s3.kmsKeyARN: kmsKeyARN must be a valid AWS KMS key ARN "
              "(arn:<partition>:kms:<region>:<account-id>:key/<key-id>).")
        << each;
  for (auto& each : {std::string("not-a-valid-url"), with(url, "https", "http"), with(url, "vault.azure", "vault.example"),
                     with(url, "azure.net", "azure.net.example.org"), with(url, "keys", "secrets"), url + "/2", url + "?a=b"})
    EXPECT_EQ(refused(blob_with_key(each)),
              "spec.storage.azureBlob.encryptionKeyURL: encryptionKeyURL must be a valid Azure Key Vault or Managed HSM HTTPS URL.")
        << each;
}

TEST(HcpEtcdBackups, KeepTheirSpec) {
  std::string const immutable = "spec: HCPEtcdBackupSpec is immutable.", s3_key = "spec.storage.s3.kmsKeyARN: kmsKeyARN ",
                    blob_key = "spec.storage.azureBlob.encryptionKeyURL: encryptionKeyURL ";
  change const changes[] = {
      {hcp_s3, with(hcp_s3, "my-backup-bucket", "other"), immutable},
      {hcp_blob, with(hcp_blob, "my-container", "other"), immutable},
      {hcp_s3, with(hcp_s3, "backups/etcd", "other"), immutable},
      {hcp_s3, with(hcp_s3, "{name: aws}", "{name: other}"), immutable},
      {hcp_s3, s3_with_key(arn), immutable},
      {hcp_blob, blob_with_key(url), immutable},
      {hcp_s3, hcp_blob, immutable},
      {s3_with_key(arn), s3_with_key(arn + "4"), s3_key + "is immutable."},
      {s3_with_key(arn), hcp_s3, s3_key + "cannot be removed once set."},
      {blob_with_key(url), blob_with_key(url + "4"), blob_key + "is immutable."},
      {blob_with_key(url), hcp_blob, blob_key + "cannot be removed once set."},
      {hcp_s3, hcp_s3, ""},
      {hcp_blob, hcp_blob, ""},
      {s3_with_key(arn), s3_with_key(arn), ""},
      {blob_with_key(url), blob_with_key(url), ""},
  };
  for (auto& each : changes) EXPECT_EQ(refusal(kind, each.old, each.now), each.says) << each.now;
}

TEST(HcpEtcdBackups, HaveAStatusOfTheRightForm) {
  std::string const metadata = "status.encryptionMetadata",
                    not_arn = metadata +
                              ".aws.kmsKeyARN: kmsKeyARN must be a valid AWS KMS key ARN "
                              "(arn:<partition>:kms:<region>:<account-id>:key/<key-id>).",
                    not_url =
                        metadata + ".azure.encryptionKeyURL: encryptionKeyURL must be a valid Azure Key Vault or Managed HSM HTTPS URL.";
  std::string const aws = "aws: {kmsKeyARN: '" + arn + "'}", azure = "azure: {encryptionKeyURL: '" + url + "'}";
  struct {
    std::string status, says;
  } const cases[] = {
      {"snapshotURL: 'http://b/1.db'", "status.snapshotURL: snapshotURL must be a valid URL with scheme https or s3."},
      {"snapshotURL: 'https://b/1.db'", ""},
      {"snapshotURL: 's3://b/1.db'", ""},
      {"snapshotURL: ''", "status.snapshotURL: It is empty."},
      {"snapshotURL: 's3://" + std::string(2044, 'b') + "'", "status.snapshotURL: It has 2049 characters, and at most 2048 are allowed."},
      {"encryptionMetadata: {" + aws + ", " + azure + "}", metadata + ": It has 2 fields, and at most 1 is allowed."},
      {"encryptionMetadata: {}", metadata + ": It has 0 fields, and at least 1 is needed."},
      {"encryptionMetadata: {" + aws + "}", ""},
      {"encryptionMetadata: {" + azure + "}", ""},
      {"encryptionMetadata: {" + with(azure, "vault", "managedhsm") + "}", ""},
      {"encryptionMetadata: {aws: {kmsKeyARN: not-a-valid-arn}}", not_arn},
      {"encryptionMetadata: {azure: {encryptionKeyURL: not-a-valid-url}}", not_url},
      {"encryptionMetadata: {aws: {}}", metadata + ".aws.kmsKeyARN: It is missing, and has no default."},
      {"conditions: []", "status.conditions: It has 0 items, and at least 1 is needed."},
      {"", "status: It has 0 fields, and at least 1 is needed."},
  };
  for (auto& each : cases) EXPECT_EQ(refusal(kind, hcp_s3, hcp_s3 + "\nstatus: {" + each.status + "}"), each.says) << each.status;
}

}  // namespace
}  // namespace kopiur::proto
