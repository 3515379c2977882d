#include "services/executor/core/openbao/settings.hpp"

#include <algorithm>

#include "services/executor/core/openbao/variable_reader.hpp"

namespace kopiur::executor::openbao {

namespace {

constexpr int most_members = 100;
constexpr std::uint64_t largest_snapshot = std::uint64_t{8} << 30;
constexpr auto staging_folder = "/var/lib/openbao-restore";

cluster read_cluster(variable_reader& from) {
  cluster found{.name = from.needed("CLUSTER_NAME"),
                .ns = from.needed("CLUSTER_NAMESPACE"),
                .stateful_set = from.text({"STATEFULSET_NAME", "CLUSTER_NAME"}),
                .suffix = from.text({"CLUSTER_DOMAIN_SUFFIX"}),
                .ca_file = from.text({"TLS_CA_PATH"}, "/etc/bao/tls/ca.crt"),
                .server_name = from.text({"TLS_SERVER_NAME"})};
  from.needed("CLUSTER_REPLICAS");
  found.replicas = from.number("CLUSTER_REPLICAS", 1, most_members).value_or(1);
  if (!found.suffix.empty() && !found.suffix.starts_with('.')) found.suffix.insert(0, 1, '.');
  return found;
}

login read_login(variable_reader& from) {
  login found{.role = from.text({"BACKUP_JWT_AUTH_ROLE"}),
              .jwt_file = from.text({"JWT_TOKEN_PATH"}, "/var/run/secrets/tokens/openbao-token"),
              .token_file = from.text({"BACKUP_TOKEN_PATH"}, "/etc/bao/backup/token/token")};
  auto method = from.text({"BACKUP_AUTH_METHOD"}, found.role.empty() ? "token" : "jwt");
  if (method == "jwt" && found.role.empty())
    from.complain(
        "The variable BACKUP_JWT_AUTH_ROLE is not set. Set it to a role of the JWT authentication, or BACKUP_AUTH_METHOD to token.");
  if (method != "jwt" && method != "token") from.complain("The variable BACKUP_AUTH_METHOD is neither jwt nor token.");
  if (method == "token") found.role.clear();
  return found;
}

store_place::kind provider_of(variable_reader& from) {
  auto name = from.text({"BACKUP_PROVIDER"}, "s3");
  if (name == "azure") return store_place::kind::azure;
  if (name == "gcs") return store_place::kind::gcs;
  if (name != "s3") from.complain("The variable BACKUP_PROVIDER is none of s3, gcs and azure.");
  return store_place::kind::s3;
}

/// `restores`: the variables RESTORE_* win.
store_place read_store(variable_reader& from, bool restores) {
  auto text = [&](std::string const& name) {
    return restores ? from.text({"RESTORE_" + name, "BACKUP_" + name}) : from.text({"BACKUP_" + name});
  };
  store_place found{.provider = provider_of(from),
                    .endpoint = text("ENDPOINT"),
                    .bucket = text("BUCKET"),
                    .region = text("REGION"),
                    .gcs_project = from.text({"BACKUP_GCS_PROJECT"}),
                    .azure_account = from.text({"BACKUP_AZURE_STORAGE_ACCOUNT"}),
                    .credentials = from.text({"BACKUP_CREDENTIALS_PATH"}, "/etc/bao/backup/credentials"),
                    .insecure = from.flag({"BACKUP_INSECURE_SKIP_VERIFY"})};
  found.path_style = restores ? from.flag({"RESTORE_USE_PATH_STYLE", "BACKUP_USE_PATH_STYLE"}) : from.flag({"BACKUP_USE_PATH_STYLE"});
  if (found.provider == store_place::kind::azure) found.bucket = from.text({"BACKUP_AZURE_CONTAINER"}, found.bucket);
  if (found.bucket.empty()) from.complain("The variable BACKUP_BUCKET is not set. Set it to the bucket with the snapshots.");
  return found;
}

std::optional<instant> read_deadline(variable_reader& from) {
  auto text = from.text({"RESTORE_PREPARATION_DEADLINE"});
  auto when = instant_from(text);
  if (!text.empty() && !when) from.complain("The variable RESTORE_PREPARATION_DEADLINE is not a time as 2026-11-30T12:00:00Z.");
  return when;
}

std::string read_digest(variable_reader& from) {
  constexpr std::string_view prefix = "sha256:";
  auto text = encoding::lower_case(from.text({"RESTORE_EXPECTED_DIGEST"}));
  bool is_hex = std::ranges::all_of(text.substr(std::min(prefix.size(), text.size())),
                                    [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  if (!text.empty() && (!text.starts_with(prefix) || text.size() != prefix.size() + 64 || !is_hex))
    from.complain("The variable RESTORE_EXPECTED_DIGEST is not sha256: and 64 hexadecimal digits.");
  return text;
}

request_identity read_request(variable_reader& from) {
  return {.name = from.needed("RESTORE_REQUEST_NAME"),
          .uid = from.needed("RESTORE_REQUEST_UID"),
          .operation = from.needed("RESTORE_OPERATION_ID"),
          .pod_name = from.text({"POD_NAME"}),
          .pod_uid = from.needed("POD_UID")};
}

template <class T>
std::expected<T, std::string> unless_problem(variable_reader const& from, T found) {
  if (!from.problem().empty()) return std::unexpected(from.problem());
  return found;
}

}  // namespace

std::expected<restore_settings, std::string> read_restore(environment const& variables) {
  variable_reader from(variables);
  restore_settings found{.cluster = read_cluster(from),
                         .login = read_login(from),
                         .store = read_store(from, true),
                         .request = read_request(from),
                         .key = from.needed("RESTORE_KEY"),
                         .staging = from.text({"RESTORE_STAGING_PATH"}, staging_folder),
                         .force = from.flag({"RESTORE_FORCE"}),
                         .deadline = read_deadline(from),
                         .expected_digest = read_digest(from)};
  found.expected_size = from.number<std::uint64_t>("RESTORE_EXPECTED_SIZE", 1, largest_snapshot);
  return unless_problem(from, std::move(found));
}

std::expected<backup_settings, std::string> read_backup(environment const& variables) {
  variable_reader from(variables);
  backup_settings found{.cluster = read_cluster(from),
                        .login = read_login(from),
                        .store = read_store(from, false),
                        .key = from.text({"BACKUP_KEY"}),
                        .path_prefix = from.text({"BACKUP_PATH_PREFIX"}),
                        .filename_prefix = from.text({"BACKUP_FILENAME_PREFIX"}),
                        .staging = from.text({"RESTORE_STAGING_PATH"}, staging_folder)};
  return unless_problem(from, std::move(found));
}

std::expected<settle_settings, std::string> read_settle(environment const& variables) {
  variable_reader from(variables);
  settle_settings found{.cluster = read_cluster(from)};
  found.limit = std::chrono::seconds(from.number<std::int64_t>("SETTLE_SECONDS", 1, 86'400).value_or(600));
  return unless_problem(from, std::move(found));
}

}  // namespace kopiur::executor::openbao
