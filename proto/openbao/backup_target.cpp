#include "proto/openbao/backup_target.hpp"

#include "proto/schema/text_form.hpp"

/// Schema notes for backup_target.hpp: the admission rules of OpenBao's operator, in our words.
namespace kopiur::proto {

namespace {

constexpr std::string_view address = "Write an address of a store that the Job's pod reaches, as https://store.example.";
constexpr schema::text_form scheme{
    .pattern = R"(^(((https|s3)://[^/@]+|http://[a-z0-9]([-a-z0-9.]*[a-z0-9])?\.svc(\.[a-z0-9.-]+)?(:[0-9]+)?)(/[^@]*)?)?$)",
    .message = "endpoint must be https or s3; http only to a Service of the cluster (*.svc), and without a user.",
    .hint = address};
constexpr schema::limits provider_region{.min_length = 1, .max_length = 63};

/// Whether the host of the address is one that only looks at the pod itself, or at the cloud's metadata.
bool is_local(std::string_view endpoint) {
  auto begin = endpoint.find("://");
  if (begin == endpoint.npos) return false;
  auto host = endpoint.substr(begin + 3);
  return schema::matches(host, R"(^([a-z0-9.-]*localhost|127\.[0-9.]+|\[?::1\]?|169\.254\..*|[0-9]+|0[xX][0-9a-fA-F]+)([:/].*)?$)");
}

/// Rule: the member is given only with that provider.
template <schema::member_name Member, schema::member_name Provider>
schema::rule only_with() {
  std::string member(Member.view()), provider(Provider.view());
  return {.cel = "!has(self." + member + ") || self.provider == '" + provider + "'",
          .message = Member.view() == "gcs"     ? "gcs is for provider gcs only."
                     : Member.view() == "azure" ? "azure is for provider azure only."
                                                : "roleArn is for provider s3 only.",
          .hint = "Remove it, or change the provider.",
          .field = Member.view(),
          .holds = [](json::value const& self) { return !schema::has(self, Member.view()) || self.text("provider") == Provider.view(); }};
}

}  // namespace

schema::type_notes notes_of(std::type_identity<bao_gcs>) {
  return {.text = "A bucket of Google Cloud Storage.", .fields = {{"project", "The Google Cloud project that the bucket belongs to."}}};
}
schema::type_notes notes_of(std::type_identity<bao_azure>) {
  return {.text = "A container of Azure Blob Storage.",
          .fields = {{"storageAccount", "The storage account of the container.", {.min_length = 1, .max_length = 24}},
                     {"container", "The container; absent: the bucket's name."}}};
}
schema::type_notes notes_of(std::type_identity<bao_secret_ref>) {
  return {.text = "A Secret of the same namespace.", .fields = {{"name", "Its name.", schema::secret_name}}};
}
schema::type_notes notes_of(std::type_identity<bao_workload_identity>) {
  return {.text = "The identity of a cloud that the Job stands for.",
          .fields = {{"serviceAccountAnnotations", "Annotations of the Job's service account, where kopiur makes it."},
                     {"podLabels", "Labels of the Job's pod, besides those of kopiur and OpenBao's operator."}}};
}
schema::type_notes notes_of(std::type_identity<bao_target>) {
  return {
      .text = "An object store.",
      .fields = {{"provider", "Which store: s3, gcs or azure."},
                 {"endpoint", "The address of the store; s3 needs one.", {.max_length = 2048}},
                 {"bucket", "The bucket. It must exist.", {.min_length = 1, .max_length = 253}},
                 {"pathPrefix", "What the keys of a cluster's backups begin with; a restore names the whole key.", {.max_length = 1024}},
                 {"credentialsSecretRef",
                  "A Secret of the same namespace. s3: accessKeyId, secretAccessKey, also sessionToken, region, caCert; gcs: "
                  "credentials.json; azure: accountKey or connectionString."},
                 {"partSize", "Accepted; uploads choose their parts themselves.", {.min = 5242880}},
                 {"concurrency", "Accepted; uploads send one part after the other.", {.min = 1, .max = 10}},
                 {"region", "The region of an s3 bucket.", provider_region},
                 {"roleArn", "The AWS role that the Job's service account takes.", {.max_length = 2048}},
                 {"usePathStyle", "Whether an s3 bucket is in the path of its address, not in the host name."},
                 {"gcs", "Only with provider gcs."},
                 {"azure", "Only with provider azure."},
                 {"insecureSkipVerify", "Accept any certificate of the store. Better: `caCert` in the Secret."},
                 {"workloadIdentity", "The identity of a cloud, instead of a Secret."}},
      .rules = {
          {.cel = "self.provider != 's3' || (has(self.endpoint) && self.endpoint != '')",
           .message = "endpoint is required for provider s3.",
           .hint = address,
           .field = "endpoint",
           .holds = [](json::value const& self) { return self.text("provider") != "s3" || !self.text("endpoint").empty(); }},
          schema::of_form<"endpoint", scheme>(),
          {.cel =
               R"(!has(self.endpoint) || !self.endpoint.matches('^[a-z0-9]+://([a-z0-9.-]*localhost|127[.][0-9.]+|[[]?::1[]]?|169[.]254[.].*|[0-9]+|0[xX][0-9a-fA-F]+)([:/].*)?$'))",
           .message = "endpoint must not be localhost, a loopback or link-local address, or a bare number.",
           .hint = address,
           .field = "endpoint",
           .holds = [](json::value const& self) { return !is_local(self.text("endpoint")); }},
          only_with<"gcs", "gcs">(),
          only_with<"azure", "azure">(),
          only_with<"roleArn", "s3">(),
          {.cel = "!has(self.credentialsSecretRef) || "
                  "!self.credentialsSecretRef.name.matches('-(unseal-key|root-token|tls-ca|tls-server)$')",
           .message = "This Secret is OpenBao's own, and has no credentials of a store.",
           .hint = "Name the Secret with the store's credentials.",
           .field = "credentialsSecretRef",
           .holds = [](json::value const& self) { return !is_of_openbao(self.text("credentialsSecretRef.name")); }}}};
}

bool is_of_openbao(std::string_view secret) {
  for (std::string_view end : {"-unseal-key", "-root-token", "-tls-ca", "-tls-server"})
    if (secret.ends_with(end)) return true;
  return false;
}

}  // namespace kopiur::proto
