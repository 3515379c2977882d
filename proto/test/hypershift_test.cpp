#include <gtest/gtest.h>

#include "common/config/manifest.hpp"
#include "proto/validate.hpp"

/// The changes that the kinds of hypershift refuse. What they refuse from the beginning is in `bad/`.
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

constexpr auto immutable_backup = "spec: EtcdBackupSpec is immutable.";
std::string const s3 = "spec: {storageType: S3, s3: {bucket: bbb, region: us-east-1, keyPrefix: p, credentialsSecretRef: {name: s}}}";
std::string const blob =
    "spec: {storageType: AzureBlob, azureBlob: {container: ccc, storageAccount: aaa, keyPrefix: p, credentialsSecretRef: {name: s}}}";

TEST(EtcdBackups, KeepTheirSpec) {
  auto with = [](std::string text, std::string_view part, std::string_view other) {
    return text.replace(text.find(part), part.size(), other);
  };
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

}  // namespace
}  // namespace kopiur::proto
