#include "proto/hypershift/etcd_backup.hpp"

#include "proto/hypershift/etcd_storage_notes.hpp"

/// Schema notes for etcd_backup.hpp. Rules that the text of the kind does not state are those of HCPEtcdBackup.
namespace kopiur::proto {

using namespace etcd_storage;

schema::type_notes notes_of(std::type_identity<etcd_backup_s3>) {
  schema::type_notes out{.text = "An S3 bucket.", .fields = s3_fields(), .rules = s3_rules()};
  out.fields.push_back({"credentialsSecretRef", "The Secret, with an AWS credentials file in the key `credentials`."});
  return out;
}
schema::type_notes notes_of(std::type_identity<etcd_backup_azure_blob>) {
  schema::type_notes out{.text = "A container of Azure Blob Storage.", .fields = azure_blob_fields(), .rules = azure_blob_rules()};
  out.fields.push_back({"credentialsSecretRef", "The Secret with the Azure credentials."});
  return out;
}
schema::type_notes notes_of(std::type_identity<etcd_backup_spec>) {
  schema::type_notes out{.text = "Where the snapshot goes.", .fields = union_fields(), .rules = union_rules()};
  out.rules.push_back(schema::immutable("EtcdBackupSpec is immutable.", "Make another EtcdBackup for another snapshot."));
  return out;
}
schema::type_notes notes_of(std::type_identity<etcd_encryption_metadata>) {
  return {.text = "How etcd's content was encrypted at the time of the snapshot.",
          .fields = {{.field = "kmsEncryption", .text = "Whether a KMS key encrypted it: Enabled or Disabled.", .required = true},
                     {"kmsKeyID", "The key that a restore needs: the ARN of an AWS KMS key, or the URL of an Azure Key Vault key."}}};
}
schema::type_notes notes_of(std::type_identity<etcd_backup_status>) {
  return {.text = "The snapshot.",
          .fields = {{.field = "conditions", .text = "BackupCompleted.", .max_items = 10, .map_key = "type"},
                     {"snapshotURL", "Where the snapshot is; only set once BackupCompleted is True.", snapshot_url_length},
                     {"encryptionMetadata", "How etcd's content was encrypted at the time of the snapshot."}},
          .rules = {schema::of_form<"snapshotURL", snapshot_url>()},
          .ruled_in_status = true};
}
schema::type_notes notes_of(std::type_identity<etcd_backup>) {
  return {.text = "An EtcdBackup takes one snapshot of the etcd of the hosted control plane in its namespace, and uploads it."};
}

}  // namespace kopiur::proto
