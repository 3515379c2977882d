#include "proto/hypershift/etcd_storage.hpp"

#include "proto/hypershift/etcd_storage_notes.hpp"

namespace kopiur::proto {

namespace etcd_storage {
namespace {

constexpr schema::text_form secret_name_text{
    .pattern = schema::object_name.pattern,
    .message =
        "name must consist only of lowercase alphanumeric characters, hyphens, and periods. Each period-separated segment must start "
        "and end with an alphanumeric character.",
    .hint = "Write the name of the Secret."};
constexpr schema::limits key_prefix_length{.min_length = 1, .max_length = 1024};

/// Rule: the member is given if storageType names it, and only then.
template <schema::member_name Member, schema::member_name Type>
schema::rule required_by_type(std::string_view message) {
  std::string given = "has(self." + std::string(Member.view()) + ")";
  return {.cel = "self.storageType == '" + std::string(Type.view()) + "' ? " + given + " : !" + given,
          .message = message,
          .hint = "Give the storage that storageType names, and no other.",
          .field = Member.view(),
          .holds = [](json::value const& self) { return (self.text("storageType") == Type.view()) == schema::has(self, Member.view()); }};
}

}  // namespace

std::vector<schema::field_note> s3_fields() {
  return {{"bucket", "The bucket. It must exist.", {.min_length = 3, .max_length = 63}},
          {"region", "The AWS region of the bucket, as in us-east-1.", {.min_length = 1, .max_length = 63}},
          {"keyPrefix", "What the keys of the snapshots begin with.", key_prefix_length}};
}
std::vector<schema::rule> s3_rules() {
  return {schema::of_form<"bucket", bucket_text>(), schema::of_form<"bucket", bucket_periods>(), schema::of_form<"region", region_text>(),
          schema::of_form<"region", region_hyphens>(), schema::of_form<"keyPrefix", s3_key_prefix>()};
}

std::vector<schema::field_note> azure_blob_fields() {
  return {{"container", "The container. It must exist.", {.min_length = 3, .max_length = 63}},
          {"storageAccount", "The storage account of the container.", {.min_length = 3, .max_length = 24}},
          {"keyPrefix", "What the names of the snapshots begin with.", key_prefix_length}};
}
std::vector<schema::rule> azure_blob_rules() {
  return {schema::of_form<"container", container_text>(), schema::of_form<"container", container_hyphens>(),
          schema::of_form<"storageAccount", storage_account_text>(), schema::of_form<"keyPrefix", azure_key_prefix>()};
}

std::vector<schema::field_note> union_fields() {
  return {{.field = "storageType", .text = "Which storage: S3 or AzureBlob.", .required = true},
          {"s3", "An S3 bucket, with storageType S3 only."},
          {"azureBlob", "A container of Azure Blob Storage, with storageType AzureBlob only."}};
}
std::vector<schema::rule> union_rules() {
  return {required_by_type<"s3", "S3">("s3 configuration is required when storageType is S3, and forbidden otherwise."),
          required_by_type<"azureBlob", "AzureBlob">(
              "azureBlob configuration is required when storageType is AzureBlob, and forbidden otherwise.")};
}

}  // namespace etcd_storage

schema::type_notes notes_of(std::type_identity<operator_secret_ref>) {
  return {.text = "A Secret in the namespace of HyperShift's operator.",
          .fields = {{"name", "Name of the Secret.", {.min_length = 1, .max_length = 253}}},
          .rules = {schema::of_form<"name", etcd_storage::secret_name_text>()}};
}

}  // namespace kopiur::proto
