#include "proto/kopiur/backend.hpp"

#include <algorithm>
#include <iterator>

#include "proto/buckety/buckety.hpp"
#include "proto/kopiur/kopia_names.hpp"
#include "proto/schema/notes.hpp"

/// Schema notes for backend.hpp.
namespace kopiur::proto {

namespace {
constexpr schema::limits bucket{.min_length = 3,
                                .max_length = 63,
                                .pattern = R"(^[a-z0-9][a-z0-9.-]*[a-z0-9]$)",
                                .pattern_says = "a bucket name: 3 to 63 lower-case letters, digits, `-` and `.`"};
constexpr schema::limits loose_bucket{
    .min_length = 1, .max_length = 222, .pattern = R"(^[A-Za-z0-9][A-Za-z0-9._-]*$)", .pattern_says = "a bucket name"};
constexpr schema::limits prefix{
    .max_length = 512, .pattern = R"(^([^/ \n][^\n]*)?$)", .pattern_says = "a prefix without a leading slash, as in `cluster-a/`"};
constexpr schema::limits endpoint{.min_length = 1,
                                  .max_length = 253,
                                  .pattern = R"(^(https?://)?[^/ @]+/?$)",
                                  .pattern_says = "a host with an optional port, as in `minio.storage:9000`"};
constexpr schema::limits region{
    .min_length = 1, .max_length = 64, .pattern = R"(^[A-Za-z0-9_][A-Za-z0-9._-]*$)", .pattern_says = "a region, as in `eu-central-1`"};
constexpr schema::limits path_on_one_line{.min_length = 1,
                                          .max_length = 4096,
                                          .pattern = R"(^[^-\n\r\t][^\n\r\t]*$)",
                                          .pattern_says = "a path on one line, without `-` in front"};
}  // namespace

namespace {

/// Rule: a Buckety gives this field.
template <schema::member_name Field>
schema::rule given_by_buckety() {
  std::string field(Field.view());
  return {.cel = "!has(self.bucketyRef) || !has(self." + field + ")",
          .message = "With bucketyRef, the Buckety gives the endpoint, the region and the credentials.",
          .hint = "Remove this field, or give bucket instead of bucketyRef.",
          .field = Field.view(),
          .holds = [](json::value const& self) { return !schema::has(self, "bucketyRef") || !schema::has(self, Field.view()); }};
}

/// Rules: the bucket is given in one way.
std::vector<schema::rule> one_bucket() {
  return {{.cel = "has(self.bucket) != has(self.bucketyRef)",
           .message = "The bucket is given in exactly one way.",
           .hint = "Give either bucket, the name of an existing one, or bucketyRef.",
           .field = "bucket",
           .holds = [](json::value const& self) { return schema::has(self, "bucket") != schema::has(self, "bucketyRef"); }},
          given_by_buckety<"endpoint">(),
          given_by_buckety<"region">(),
          given_by_buckety<"auth">(),
          {.cel = "!has(self.bucketyRef) || !has(self.tls) || !self.tls.disableTls",
           .message = "With bucketyRef, the endpoint of the Buckety says whether TLS is used.",
           .hint = "Remove disableTls.",
           .field = "tls.disableTls",
           .holds = [](json::value const& self) { return !schema::has(self, "bucketyRef") || !schema::flag(self, "tls.disableTls"); }}};
}

/// Rule: this backend accepts keys only.
schema::rule no_workload_identity() {
  return {.cel = "!has(self.auth) || !has(self.auth.workloadIdentity)",
          .message = "This backend knows no workload identity.",
          .hint = "Name a Secret in auth.secretRef.",
          .field = "auth.workloadIdentity",
          .holds = [](json::value const& self) { return !schema::has(self, "auth.workloadIdentity"); }};
}

}  // namespace

schema::type_notes notes_of(std::type_identity<secret_ref>) {
  return {.text = "A Secret, by name.",
          .fields = {
              {"name", "Name of the Secret.", schema::secret_name},
              {"namespace", "Namespace of the Secret: required on a ClusterRepository, not allowed elsewhere.", schema::namespace_name}}};
}
schema::type_notes notes_of(std::type_identity<secret_key_ref>) {
  return {
      .text = "One key of a Secret.",
      .fields = {{"name", "Name of the Secret.", schema::secret_name},
                 {"key", "Key in the Secret.", schema::secret_key},
                 {"namespace", "Namespace of the Secret: required on a ClusterRepository, not allowed elsewhere.", schema::namespace_name}},
      .refused = {{"value", "A secret value never stands in a manifest: put it into a Secret, and give its name and key here."}}};
}
schema::type_notes notes_of(std::type_identity<config_map_key_ref>) {
  return {.text = "One key of a ConfigMap.",
          .fields = {{"configMapName", "Name of the ConfigMap.", schema::object_name},
                     {"key", "Key of the ConfigMap that contains the certificates, in PEM format.", schema::secret_key}}};
}
schema::type_notes notes_of(std::type_identity<workload_identity>) {
  return {.text = "Identity that the cloud provider gives to a ServiceAccount.",
          .fields = {{"serviceAccountName",
                      "ServiceAccount of the movers (the pods that run kopia); it must have the cloud provider's annotations.",
                      schema::service_account_name}}};
}
schema::type_notes notes_of(std::type_identity<backend_auth>) {
  return {
      .text = "Credentials for the storage: keys in a Secret, or a workload identity.",
      .fields = {{"secretRef", "Secret with the keys that this backend needs."},
                 {"workloadIdentity", "Use the cloud's workload identity instead of keys."}},
      .rules = {{.cel = "has(self.secretRef) != has(self.workloadIdentity)",
                 .message = "Storage is opened in exactly one way.",
                 .hint = "Give either secretRef or workloadIdentity, or remove auth.",
                 .holds = [](json::value const& self) { return schema::has(self, "secretRef") != schema::has(self, "workloadIdentity"); }}},
      .refused = {{"accessKeyId",
                   "Keys never stand in a manifest: put them into a Secret as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and name it in "
                   "secretRef."},
                  {"secretAccessKey",
                   "Keys never stand in a manifest: put them into a Secret as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and name it in "
                   "secretRef."},
                  {"password", "A password never stands in a manifest: put it into a Secret and name it in secretRef."}}};
}
schema::type_notes notes_of(std::type_identity<tls_options>) {
  return {.text = "TLS of the connection to the storage.",
          .fields = {{"caBundleRef", "CA certificates to trust in addition to the system's."},
                     {"insecureSkipVerify", "Do not check the server's certificate. For tests only."},
                     {"disableTls", "Use plain HTTP instead of TLS."}}};
}
schema::type_notes notes_of(std::type_identity<buckety_ref>) {
  return {.text = "A Buckety of the driver s3.",
          .fields = {
              {"name", "Name of the Buckety.", schema::name_of(buckety::info.kind)},
              {"access",
               "BucketyAccess of that Buckety whose Secret has the credentials; its role must be ReadWrite. Default: the access of "
               "the Buckety's defaultAccess.",
               schema::object_name},
              {"namespace", "Namespace of the Buckety: required on a ClusterRepository, not allowed elsewhere.", schema::namespace_name}}};
}
schema::type_notes notes_of(std::type_identity<s3_backend>) {
  schema::type_notes out{
      .text = "A bucket of Amazon S3 or of an S3-compatible service.",
      .fields = {{"bucket", "Name of the bucket; it must exist.", bucket},
                 {"prefix", "Prefix of all objects of the repository; end it with a slash.", prefix},
                 {"endpoint", "Host and port of the service. Default: AWS.", endpoint},
                 {"region", "Region of the bucket, if the service requires one.", region},
                 {"auth", "Secret with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and optionally AWS_SESSION_TOKEN, or a workload identity."},
                 {"tls", "TLS options, for example for an endpoint with a private CA."},
                 {"bucketyRef", "Buckety that gives the bucket, the endpoint, the region and the credentials."}},
      .rules = {{.cel = "!has(self.bucket) || !self.bucket.contains('..')",
                 .message = "A bucket name holds no two dots in a row.",
                 .hint = "Write the bucket as the service lists it.",
                 .field = "bucket",
                 .holds = [](json::value const& self) { return self.text("bucket").find("..") == std::string_view::npos; }},
                schema::filled_in<"prefix">()}};
  std::ranges::move(one_bucket(), std::back_inserter(out.rules));
  return out;
}
schema::type_notes notes_of(std::type_identity<azure_backend>) {
  return {.text = "A container of Azure Blob Storage.",
          .fields = {{"container",
                      "Name of the container; it must exist.",
                      {.min_length = 3,
                       .max_length = 63,
                       .pattern = R"(^[a-z0-9][a-z0-9-]*[a-z0-9]$)",
                       .pattern_says = "a container name: 3 to 63 lower-case letters, digits and `-`"}},
                     {"prefix", "Prefix of all objects of the repository; end it with a slash.", prefix},
                     {"storageAccount",
                      "Name of the storage account.",
                      {.min_length = 3,
                       .max_length = 24,
                       .pattern = R"(^[a-z0-9]+$)",
                       .pattern_says = "a storage account: 3 to 24 lower-case letters and digits"}},
                     {"auth", "Secret with AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN, or a workload identity."}},
          .rules = {schema::filled_in<"prefix">()}};
}
schema::type_notes notes_of(std::type_identity<gcs_backend>) {
  return {.text = "A bucket of Google Cloud Storage.",
          .fields = {{"bucket", "Name of the bucket; it must exist.", loose_bucket},
                     {"prefix", "Prefix of all objects of the repository; end it with a slash.", prefix},
                     {"auth", "Secret with GOOGLE_APPLICATION_CREDENTIALS, a service account's JSON key, or a workload identity."}},
          .rules = {schema::filled_in<"prefix">()}};
}
schema::type_notes notes_of(std::type_identity<b2_backend>) {
  return {.text = "A bucket of Backblaze B2.",
          .fields = {{"bucket", "Name of the bucket; it must exist.", loose_bucket},
                     {"prefix", "Prefix of all objects of the repository; end it with a slash.", prefix},
                     {"auth", "Secret with B2_KEY_ID and B2_KEY."}},
          .rules = {no_workload_identity(), schema::filled_in<"prefix">()}};
}
schema::type_notes notes_of(std::type_identity<filesystem_backend>) {
  return {.text = "A folder on a claim, on an NFS export, or (outside a cluster) on the host.",
          .fields = {{"path", "Folder of the repository: below the root of the claim or export; absolute if neither is named.",
                      path_on_one_line},
                     {"pvcName", "Claim that contains the folder, in the repository's namespace.", schema::object_name},
                     {"nfs", "NFS export that contains the folder."}},
          .rules = {{.cel = "!(has(self.pvcName) && has(self.nfs))",
                     .message = "The folder lies on one volume.",
                     .hint = "Give either pvcName or nfs.",
                     .field = "nfs",
                     .holds = [](json::value const& self) { return !(schema::has(self, "pvcName") && schema::has(self, "nfs")); }},
                    {.cel = R"(!self.path.matches('(^|/)[.][.](/|$)'))",
                     .message = "The path climbs out of its volume with `..`.",
                     .hint = "Write the path without `..`.",
                     .field = "path",
                     .holds = [](json::value const& self) { return !schema::climbs(self.text("path")); }},
                    {.cel = "has(self.pvcName) || has(self.nfs) || self.path.startsWith('/')",
                     .message = "Without a claim or export the path is one of the host, and must be absolute.",
                     .hint = "Begin it with `/`, or name pvcName or nfs.",
                     .field = "path",
                     .holds =
                         [](json::value const& self) {
                           return schema::has(self, "pvcName") || schema::has(self, "nfs") || self.text("path").starts_with('/');
                         }},
                    schema::filled_in<"path">()}};
}
namespace {

/// The text becomes an argument of kopia.
schema::rule known_hosts_rule() {
  return {.cel = R"(!has(self.knownHosts) || !self.knownHosts.matches('^-|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]'))",
          .message = "It is not the content of a known_hosts file: it begins with `-`, or has control characters.",
          .hint = "Give what ssh-keyscan prints.",
          .field = "knownHosts",
          .holds = [](json::value const& self) {
            auto text = self.text("knownHosts");
            auto is_odd = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f; };
            return !text.starts_with('-') && std::ranges::none_of(text, is_odd);
          }};
}

}  // namespace

schema::type_notes notes_of(std::type_identity<sftp_backend>) {
  return {.text = "A folder on an SSH server.",
          .fields = {{"host", "Host name or address of the SSH server.", schema::host_text},
                     {"port", "Port of the SSH server.", {.min = 1, .max = 65535}},
                     {"path", "Folder on the server; it must exist.", path_on_one_line},
                     {"username",
                      "User name for the login.",
                      {.min_length = 1,
                       .max_length = 253,
                       .pattern = R"(^[A-Za-z0-9_.][A-Za-z0-9_.@+\\-]*[$]?$)",
                       .pattern_says = "a user name of a server: letters, digits and `_.@+\\-`, no `-` in front"}},
                     {"auth", "Secret with `password`, or with `privateKey` (as ssh-keygen writes it, without a passphrase)."},
                     {"knownHosts", "Trusted host keys, in the format of an SSH known_hosts file.", {.min_length = 1, .max_length = 65536}},
                     {"insecureSkipHostKeyCheck", "Accept any host key. An attacker in the server's place then receives the backups."}},
          .rules = {{.cel = "has(self.knownHosts) || self.insecureSkipHostKeyCheck",
                     .message = "Without known host keys, anybody could answer in the server's place.",
                     .hint = "Give knownHosts (as ssh-keyscan prints them), or opt out with insecureSkipHostKeyCheck: true.",
                     .field = "knownHosts",
                     .holds =
                         [](json::value const& self) {
                           return schema::has(self, "knownHosts") || schema::flag(self, "insecureSkipHostKeyCheck");
                         }},
                    no_workload_identity(),
                    known_hosts_rule(),
                    schema::filled_in<"path">()}};
}
schema::type_notes notes_of(std::type_identity<web_dav_backend>) {
  return {.text = "A folder on a WebDAV server.",
          .fields = {{"url",
                      "URL of the folder, without user and password.",
                      {.min_length = 1,
                       .max_length = 1024,
                       .pattern = R"(^https?://[^/@ ]+(/[^ ]*)?$)",
                       .pattern_says = "an http or https URL without user and password"}},
                     {"auth", "Secret with username and password."}},
          .rules = {no_workload_identity(), schema::filled_in<"url">()}};
}
schema::type_notes notes_of(std::type_identity<rclone_backend>) {
  return {.text = "Any storage that rclone supports.",
          .fields = {{"remotePath",
                      "Remote and path, as in `remote:bucket/folder`.",
                      {.min_length = 2,
                       .max_length = 1024,
                       .pattern = R"(^[^: \n-][^:\n]*:[^\n]*$)",
                       .pattern_says = "an rclone path, as in `remote:folder`"}},
                     {"configSecretRef", "Secret with `rclone.conf`, rclone's configuration."}},
          .rules = {schema::filled_in<"remotePath">()}};
}
schema::type_notes notes_of(std::type_identity<error_correction>) {
  return {.text = "Error correction of the blobs.",
          .fields = {{"algorithm",
                      "Kopia's name for the algorithm; cannot be changed once the repository exists. Default: kopia's.",
                      {.values = kopia_names::error_corrections}},
                     {"overheadPercent",
                      "Space added for error correction, in percent; cannot be changed once the repository exists. Default: kopia's.",
                      {.min = 0, .max = 100}}}};
}
schema::type_notes notes_of(std::type_identity<create_behavior>) {
  return {.text = "How the repository is created if none exists at the location.",
          .fields = {{"enabled", "Create the repository if the location is empty. kopiur never creates one over data that it cannot read."},
                     {"encryption",
                      "Kopia's name for the encryption; cannot be changed once the repository exists. Default: kopia's.",
                      {.values = kopia_names::encryptions}},
                     {"hash",
                      "Kopia's name for the hash; cannot be changed once the repository exists. Default: kopia's.",
                      {.values = kopia_names::hashes}},
                     {"splitter",
                      "Kopia's name for the splitter; cannot be changed once the repository exists. Default: kopia's.",
                      {.values = kopia_names::splitters}},
                     {"ecc", "Error correction of the blobs."}}};
}

}  // namespace kopiur::proto
