#include "proto/hypershift/hcp_etcd_backup.hpp"

#include "proto/hypershift/etcd_storage_notes.hpp"

/// Schema notes for hcp_etcd_backup.hpp: the rules and messages of HyperShift's API.
namespace kopiur::proto {

using namespace etcd_storage;

namespace {

constexpr schema::text_form kms_key_arn{
    .pattern = "^arn:(aws|aws-cn|aws-us-gov):kms:[a-z0-9-]+:[0-9]{12}:key/[a-zA-Z0-9-]+$",
    .message = "kmsKeyARN must be a valid AWS KMS key ARN (arn:<partition>:kms:<region>:<account-id>:key/<key-id>).",
    .hint = "Write the key's ARN; an alias is not one."};
constexpr schema::text_form encryption_key_url{
    .pattern =
        R"(^https://[a-zA-Z0-9-]+\.(vault|managedhsm)\.(azure\.net|usgovcloudapi\.net|azure\.cn|microsoftazure\.de|sovcloud-api\.fr))"
        R"(/keys/[a-zA-Z0-9-]+(/[a-zA-Z0-9]+)?$)",
    .message = "encryptionKeyURL must be a valid Azure Key Vault or Managed HSM HTTPS URL.",
    .hint = "Write it as in https://my-vault.vault.azure.net/keys/my-key."};
constexpr schema::limits arn_length{.min_length = 1, .max_length = 256}, key_url_length{.min_length = 1, .max_length = 210};
constexpr std::string_view another = "Make another HCPEtcdBackup for another key.";

}  // namespace

schema::type_notes notes_of(std::type_identity<hcp_etcd_backup_s3>) {
  schema::type_notes out{.text = "An S3 bucket.", .fields = s3_fields(), .rules = s3_rules()};
  out.fields.push_back({"credentials", "The Secret, with an AWS credentials file in the key `credentials`."});
  out.fields.push_back({"kmsKeyARN", "The AWS KMS key that encrypts the object in the bucket. Immutable.", arn_length});
  out.rules.push_back(schema::of_form<"kmsKeyARN", kms_key_arn>());
  out.rules.push_back(schema::unchanged<"kmsKeyARN">("kmsKeyARN is immutable.", another));
  out.rules.push_back(schema::kept<"kmsKeyARN">("kmsKeyARN cannot be removed once set.", another));
  return out;
}
schema::type_notes notes_of(std::type_identity<hcp_etcd_backup_azure_blob>) {
  schema::type_notes out{.text = "A container of Azure Blob Storage.", .fields = azure_blob_fields(), .rules = azure_blob_rules()};
  out.fields.push_back({"credentials", "The Secret with the Azure credentials."});
  out.fields.push_back({"encryptionKeyURL", "The key of a Key Vault or Managed HSM that encrypts the blob. Immutable.", key_url_length});
  out.rules.push_back(schema::of_form<"encryptionKeyURL", encryption_key_url>());
  out.rules.push_back(schema::unchanged<"encryptionKeyURL">("encryptionKeyURL is immutable.", another));
  out.rules.push_back(schema::kept<"encryptionKeyURL">("encryptionKeyURL cannot be removed once set.", another));
  return out;
}
schema::type_notes notes_of(std::type_identity<hcp_etcd_backup_storage>) {
  return {.text = "Where the snapshot goes.", .fields = union_fields(), .rules = union_rules()};
}
schema::type_notes notes_of(std::type_identity<hcp_etcd_backup_spec>) {
  return {.text = "One snapshot.",
          .fields = {{.field = "storage", .text = "Where the snapshot goes.", .required = true}},
          .rules = {schema::immutable("HCPEtcdBackupSpec is immutable.", "Make another HCPEtcdBackup for another snapshot.")}};
}
schema::type_notes notes_of(std::type_identity<aws_artifact_key>) {
  return {.text = "A key of AWS KMS.",
          .fields = {{.field = "kmsKeyARN", .text = "The ARN of the key.", .own = arn_length, .required = true}},
          .rules = {schema::of_form<"kmsKeyARN", kms_key_arn>()},
          .ruled_in_status = true};
}
schema::type_notes notes_of(std::type_identity<azure_artifact_key>) {
  return {.text = "A key of Azure.",
          .fields = {{.field = "encryptionKeyURL", .text = "The URL of the key.", .own = key_url_length, .required = true}},
          .rules = {schema::of_form<"encryptionKeyURL", encryption_key_url>()},
          .ruled_in_status = true};
}
schema::type_notes notes_of(std::type_identity<artifact_encryption>) {
  return {.text = "The key that encrypts the snapshot in its store.",
          .fields = {{"aws", "A key of AWS KMS."}, {"azure", "A key of Azure Key Vault or Managed HSM."}},
          .min_members = 1,
          .max_members = 1};
}
schema::type_notes notes_of(std::type_identity<hcp_etcd_backup_status>) {
  return {.text = "The snapshot.",
          .fields = {{.field = "conditions", .text = "BackupCompleted.", .min_items = 1, .max_items = 10, .map_key = "type"},
                     {"snapshotURL", "Where the snapshot is; only set once BackupCompleted is True.", snapshot_url_length},
                     {"encryptionMetadata", "The key that encrypts the snapshot in its store."}},
          .rules = {schema::of_form<"snapshotURL", snapshot_url>()},
          .min_members = 1,
          .ruled_in_status = true};
}
schema::type_notes notes_of(std::type_identity<hcp_etcd_backup>) {
  return {.text = "An HCPEtcdBackup takes one snapshot of the etcd of the hosted control plane in its namespace, and uploads it."};
}

}  // namespace kopiur::proto
