#pragma once
#include "proto/schema/text_form.hpp"

/// Schema notes that both kinds of backups share: the rules and messages of HyperShift's API.
namespace kopiur::proto::etcd_storage {

inline constexpr schema::text_form bucket_text{
    .pattern = "^[a-z0-9][a-z0-9.-]*[a-z0-9]$",
    .message = "bucket must consist of lowercase letters, numbers, hyphens, and periods, and must start and end with a letter or number.",
    .hint = "Write the bucket's name as S3 has it."};
inline constexpr schema::text_form bucket_periods{
    .without = "..", .message = "bucket must not contain consecutive periods.", .hint = "Write the bucket's name as S3 has it."};
inline constexpr schema::text_form region_text{
    .pattern = "^[a-z][a-z0-9-]*[a-z0-9]$",
    .message =
        "region must consist of lowercase letters, digits, and hyphens, must start with a letter and end with an alphanumeric character.",
    .hint = "Write it as in us-east-1."};
inline constexpr schema::text_form region_hyphens{
    .without = "--", .message = "region must not contain consecutive hyphens.", .hint = "Write it as in us-east-1."};
inline constexpr schema::text_form s3_key_prefix{
    .pattern = "^[a-zA-Z0-9!_.*'()/-]+$",
    .message =
        "keyPrefix must consist of safe S3 key characters: alphanumeric characters, forward slashes, hyphens, underscores, periods, "
        "exclamation marks, asterisks, single quotes, and parentheses.",
    .hint = "Remove the others."};
inline constexpr schema::text_form container_text{
    .pattern = "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$",
    .message = "container must consist of lowercase letters, numbers, and hyphens, and must start and end with a letter or number.",
    .hint = "Write the container's name as Azure has it."};
inline constexpr schema::text_form container_hyphens{
    .without = "--", .message = "container must not contain consecutive hyphens.", .hint = "Write the container's name as Azure has it."};
inline constexpr schema::text_form storage_account_text{.pattern = "^[a-z0-9]+$",
                                                        .message = "storageAccount must consist of lowercase letters and numbers only.",
                                                        .hint = "Write the account's name, not its address."};
inline constexpr schema::text_form azure_key_prefix{
    .pattern = "^[a-zA-Z0-9/_.-]+$",
    .message = "keyPrefix must consist of alphanumeric characters, forward slashes, hyphens, underscores, and periods.",
    .hint = "Remove the others."};
inline constexpr schema::text_form snapshot_url{.pattern = "^(https|s3)://.*$",
                                                .message = "snapshotURL must be a valid URL with scheme https or s3.",
                                                .hint = "It is written by the service that took the snapshot."};

inline constexpr schema::limits snapshot_url_length{.min_length = 1, .max_length = 2048};

/// The notes of bucket, region and keyPrefix.
std::vector<schema::field_note> s3_fields();
std::vector<schema::rule> s3_rules();
/// The notes of container, storageAccount and keyPrefix.
std::vector<schema::field_note> azure_blob_fields();
std::vector<schema::rule> azure_blob_rules();
/// The notes of storageType, s3 and azureBlob.
std::vector<schema::field_note> union_fields();
/// Exactly the member that storageType names is given.
std::vector<schema::rule> union_rules();

}  // namespace kopiur::proto::etcd_storage
