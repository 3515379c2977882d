#include <algorithm>

#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/identity.hpp"

/// The Secrets that a mover needs to open a repository.
namespace kopiur::plans {

using namespace proto;

namespace {

/// The environment variable or file for a key of a backend's Secret. spec/kopiur.md, Repository: the keys of each backend.
struct secret_key {
  char const* key;
  char const* env;
  char const* file;
  bool optional;
};

std::vector<secret_key> keys_of(backend const& where) {
  struct pick {
    std::vector<secret_key> operator()(s3_backend const&) const {
      return {{"AWS_ACCESS_KEY_ID", "AWS_ACCESS_KEY_ID", nullptr, false},
              {"AWS_SECRET_ACCESS_KEY", "AWS_SECRET_ACCESS_KEY", nullptr, false},
              {"AWS_SESSION_TOKEN", "AWS_SESSION_TOKEN", nullptr, true}};
    }
    std::vector<secret_key> operator()(azure_backend const&) const {
      return {{"AZURE_STORAGE_KEY", "AZURE_STORAGE_KEY", nullptr, true},
              {"AZURE_STORAGE_SAS_TOKEN", "AZURE_STORAGE_SAS_TOKEN", nullptr, true}};
    }
    std::vector<secret_key> operator()(gcs_backend const&) const { return {{"GOOGLE_APPLICATION_CREDENTIALS", nullptr, "gcsKey", false}}; }
    std::vector<secret_key> operator()(b2_backend const&) const {
      return {{"B2_KEY_ID", "B2_KEY_ID", nullptr, false}, {"B2_KEY", "B2_KEY", nullptr, false}};
    }
    std::vector<secret_key> operator()(filesystem_backend const&) const { return {}; }
    std::vector<secret_key> operator()(sftp_backend const&) const {
      return {{"password", "KOPIA_SFTP_PASSWORD", nullptr, true}, {"privateKey", nullptr, "sshKey", true}};
    }
    std::vector<secret_key> operator()(web_dav_backend const&) const {
      return {{"username", "KOPIA_WEBDAV_USERNAME", nullptr, false}, {"password", "KOPIA_WEBDAV_PASSWORD", nullptr, false}};
    }
    std::vector<secret_key> operator()(rclone_backend const&) const { return {{"rclone.conf", nullptr, "rcloneConfig", false}}; }
  };
  return std::visit(pick{}, where);
}

secret_ref const* auth_secret(backend const& where) {
  return std::visit(
      [](auto const& one) -> secret_ref const* {
        if constexpr (requires { one.auth; }) return one.auth && one.auth->secret_ref ? &*one.auth->secret_ref : nullptr;
        if constexpr (requires { one.config_secret_ref; }) return &one.config_secret_ref;
        return nullptr;
      },
      where);
}

/// The keys of the Secret that a Buckety's access gives.
std::vector<secret_key> keys_of_bucket() {
  return {{rules::bucket_access_key.data(), "AWS_ACCESS_KEY_ID", nullptr, false},
          {rules::bucket_secret_key.data(), "AWS_SECRET_ACCESS_KEY", nullptr, false}};
}

void add_keys(std::vector<secret_use>& secrets, std::vector<secret_key> const& keys, std::string const& ns, std::string const& name) {
  for (auto& each : keys) {
    secret_use use{.secret_namespace = ns, .secret_name = name, .key = each.key};
    if (each.env) use.env = each.env;
    if (each.file) use.file = each.file;
    use.optional = each.optional;
    secrets.push_back(std::move(use));
  }
}

/// The CA bundle to trust, in addition to the system's authorities, for an endpoint with a private certificate.
std::optional<secret_use> authority_of(backend const& where, std::string const& home) {
  auto* s3 = std::get_if<s3_backend>(&where);
  if (!s3 || !s3->tls || !s3->tls->ca_bundle_ref) return {};
  auto& from = *s3->tls->ca_bundle_ref;
  return secret_use{.secret_namespace = home,
                    .secret_name = from.config_map_name,
                    .key = from.key.value_or("ca.crt"),
                    .env = {},
                    .file = "caBundle",
                    .config_map = true};
}

}  // namespace

std::vector<secret_use> secrets_of(rules::any_repository const& repository, rules::given_bucket const* bucket) {
  auto& spec = *repository.spec;
  auto home = rules::home_of(repository);
  auto& password = spec.encryption.password_secret_ref;
  std::vector<secret_use> secrets{{.secret_namespace = password.namespace_.value_or(home),
                                   .secret_name = password.name,
                                   .key = password.key.value_or("KOPIA_PASSWORD"),
                                   .env = "KOPIA_PASSWORD"}};
  if (auto* secret = auth_secret(spec.backend)) add_keys(secrets, keys_of(spec.backend), secret->namespace_.value_or(home), secret->name);
  if (bucket) add_keys(secrets, keys_of_bucket(), bucket->secret_namespace, bucket->secret_name);
  if (auto authority = authority_of(spec.backend, home)) secrets.push_back(std::move(*authority));
  return secrets;
}

std::optional<wait> waits_for_secret(controller::objects const& all, std::vector<secret_use> const& secrets) {
  auto missing = std::ranges::find_if(secrets, [&](secret_use const& each) {
    return !each.config_map && !all.of<controller::secret_metadata>().contains({each.secret_namespace, each.secret_name});
  });
  if (missing == secrets.end()) return {};
  auto field = missing->env == "KOPIA_PASSWORD" ? "spec.encryption.passwordSecretRef" : "spec.backend";
  return wait{.why = {"SecretMissing", "Waiting for Secret " + missing->secret_namespace + "/" + missing->secret_name +
                                           ", which the repository names in " + field + ": create it, or correct the name."}};
}

}  // namespace kopiur::plans
