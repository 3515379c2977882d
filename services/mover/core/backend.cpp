#include "services/mover/core/backend.hpp"

#include <algorithm>
#include <array>

#include "common/encoding/base64.hpp"
#include "common/json/value.hpp"
#include "services/mover/core/failure.hpp"

namespace kopiur::mover {

namespace {

using result = std::expected<connection, proto::run_failure>;

std::unexpected<proto::run_failure> misfit(std::string sentence) {
  return std::unexpected(failure(proto::kopia_failure::BackendMisconfigured, std::move(sentence)));
}

struct context {
  proto::repository_access const& access;
  given const& from;
  run_paths const& paths;

  std::string variable(std::string const& name) const {
    auto found = from.variables.find(name);
    return found == from.variables.end() ? std::string() : found->second;
  }
  bool has_file(std::string const& name) const { return from.secret_files.contains(name); }
  std::string file(std::string const& name) const { return access.secrets + "/" + name; }
  /// Copies the variables that are set; returns true when at least one was.
  bool copy(connection& connection, std::initializer_list<char const*> names) const {
    bool any = false;
    for (auto* name : names)
      if (auto value = variable(name); !value.empty()) connection.variables[name] = value, any = true;
    return any;
  }
};

// kopia concatenates prefix and blob name: without the slash, `prod` and `prod2` would share a listing.
void add_prefix(connection& connection, std::optional<std::string> const& prefix) {
  if (prefix && !prefix->empty()) connection.arguments.push_back("--prefix=" + *prefix + (prefix->ends_with('/') ? "" : "/"));
}

bool ambient(std::optional<proto::backend_auth> const& auth) { return auth && auth->workload_identity; }

void add_endpoint(connection& connection, std::string endpoint) {
  for (std::string_view scheme : {"https://", "http://"}) {
    if (!endpoint.starts_with(scheme)) continue;
    endpoint.erase(0, scheme.size());
    if (scheme == "http://") connection.arguments.push_back("--disable-tls");
    break;
  }
  while (endpoint.ends_with('/')) endpoint.pop_back();
  connection.arguments.push_back("--endpoint=" + endpoint);
}

void add_tls(connection& connection, proto::tls_options const& tls, context const& context) {
  if (tls.disable_tls && std::ranges::find(connection.arguments, "--disable-tls") == connection.arguments.end())
    connection.arguments.push_back("--disable-tls");
  if (tls.insecure_skip_verify) connection.arguments.push_back("--disable-tls-verification");
  if (context.has_file("caBundle")) connection.arguments.push_back("--root-ca-pem-path=" + context.file("caBundle"));
}

result connect_to(proto::s3_backend const& s3, context const& context) {
  if (!s3.bucket) return misfit("backend.s3.bucket is missing.");
  connection connection{.arguments = {"s3", "--bucket=" + *s3.bucket}, .keys_in_config = true};
  if (s3.endpoint) add_endpoint(connection, *s3.endpoint);
  if (s3.region) connection.arguments.push_back("--region=" + *s3.region);
  add_prefix(connection, s3.prefix);
  add_tls(connection, s3.tls.value_or(proto::tls_options{}), context);
  if (ambient(s3.auth)) {
    connection.arguments.insert(connection.arguments.end(), {"--access-key=", "--secret-access-key="});
    context.copy(connection,
                 {"AWS_ROLE_ARN", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_SESSION_NAME", "AWS_REGION", "AWS_STS_REGIONAL_ENDPOINTS"});
    return connection;
  }
  if (context.variable("AWS_ACCESS_KEY_ID").empty() || context.variable("AWS_SECRET_ACCESS_KEY").empty())
    return misfit("backend.s3.auth.secretRef must hold AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.");
  context.copy(connection, {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"});
  return connection;
}

result connect_to(proto::azure_backend const& azure, context const& context) {
  connection connection{.arguments = {"azure", "--container=" + azure.container, "--storage-account=" + azure.storage_account},
                        .keys_in_config = true};
  add_prefix(connection, azure.prefix);
  context.copy(connection, {"AZURE_STORAGE_DOMAIN"});
  if (ambient(azure.auth)) {
    context.copy(connection, {"AZURE_TENANT_ID", "AZURE_CLIENT_ID", "AZURE_FEDERATED_TOKEN_FILE", "AZURE_AUTHORITY_HOST"});
  } else if (!context.copy(connection, {"AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN"})) {
    return misfit("backend.azure.auth.secretRef must hold AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN.");
  }
  return connection;
}

result connect_to(proto::gcs_backend const& gcs, context const& context) {
  connection connection{.arguments = {"gcs", "--bucket=" + gcs.bucket}};
  add_prefix(connection, gcs.prefix);
  if (ambient(gcs.auth)) return connection;
  if (!context.has_file("gcsKey")) return misfit("backend.gcs.auth.secretRef must hold a service account's JSON key.");
  connection.arguments.push_back("--credentials-file=" + context.file("gcsKey"));
  return connection;
}

result connect_to(proto::b2_backend const& b2, context const& context) {
  connection connection{.arguments = {"b2", "--bucket=" + b2.bucket}, .keys_in_config = true};
  add_prefix(connection, b2.prefix);
  if (context.variable("B2_KEY_ID").empty() || context.variable("B2_KEY").empty())
    return misfit("backend.b2.auth.secretRef must hold B2_KEY_ID and B2_KEY.");
  context.copy(connection, {"B2_KEY_ID", "B2_KEY"});
  return connection;
}

result connect_to(proto::filesystem_backend const& folder, context const& context) {
  auto path = folder.path;
  if (!context.access.mount.empty()) path = context.access.mount + (path.empty() || path.starts_with('/') ? "" : "/") + path;
  if (!path.starts_with('/')) return misfit("backend.filesystem.path must be absolute where it names no volume.");
  return connection{.arguments = {"filesystem", "--path=" + path}, .folder = path};
}

// What `repository status --reconnect-token` would print for this storage, without the repository's password.
std::string sftp_token(proto::sftp_backend const& sftp, std::string const& password) {
  auto config = json::value::make_object();
  config.set("path", sftp.path);
  config.set("host", sftp.host);
  config.set("port", sftp.port);
  config.set("username", sftp.username);
  config.set("password", password);
  config.set("knownHostsData", sftp.known_hosts.value_or(""));
  auto storage = json::value::make_object();
  storage.set("type", "sftp");
  storage.set("config", config);
  auto token = json::value::make_object();
  token.set("version", "1");
  token.set("storage", storage);
  return encoding::base64_url(json::dump(token));
}

void add_external_ssh(connection& connection, proto::sftp_backend const& sftp, context const& context) {
  connection.arguments.insert(connection.arguments.end(),
                              {"--external", "--ssh-args=-i " + context.file("sshKey") + " -p " + std::to_string(sftp.port) +
                                                 " -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o BatchMode=yes"});
}

result connect_to(proto::sftp_backend const& sftp, context const& context) {
  if (!sftp.known_hosts && !sftp.insecure_skip_host_key_check)
    return misfit("backend.sftp.knownHosts is needed to know that the server is the right one.");
  // Objects from before the rule; ssh would read a user with `-` in front as a flag.
  if (sftp.username.starts_with('-') || sftp.host.starts_with('-'))
    return misfit("backend.sftp.username and host must not begin with `-`: correct the repository.");
  auto password = context.variable("KOPIA_SFTP_PASSWORD");
  if (!context.has_file("sshKey")) {
    if (password.empty()) return misfit("backend.sftp.auth.secretRef must hold a private key or a password.");
    if (!sftp.known_hosts) return misfit("backend.sftp with a password needs knownHosts: kopia has no way to skip the check.");
    return connection{.arguments = {"from-config", "--token-file=" + context.paths.token_file()},
                      .keys_in_config = true,
                      .token = sftp_token(sftp, password)};
  }
  connection link{.arguments = {"sftp", "--host=" + sftp.host, "--port=" + std::to_string(sftp.port), "--username=" + sftp.username,
                                "--path=" + sftp.path, "--keyfile=" + context.file("sshKey")}};
  if (sftp.known_hosts)
    link.arguments.push_back("--known-hosts-data=" + *sftp.known_hosts);
  else
    add_external_ssh(link, sftp, context);
  return link;
}

result connect_to(proto::web_dav_backend const& dav, context const& context) {
  auto host = dav.url.find("://");
  if (host == std::string::npos) return misfit("backend.webDav.url must start with http:// or https://.");
  if (dav.url.find('@', host) < dav.url.find('/', host + 3))
    return misfit("backend.webDav.url must hold no user and password: use auth.secretRef.");
  connection connection{.arguments = {"webdav", "--url=" + dav.url}, .keys_in_config = true};
  context.copy(connection, {"KOPIA_WEBDAV_USERNAME", "KOPIA_WEBDAV_PASSWORD"});
  return connection;
}

result connect_to(proto::rclone_backend const& rclone, context const& context) {
  if (!context.has_file("rcloneConfig")) return misfit("backend.rclone.configSecretRef must hold rclone's configuration.");
  connection connection{
      .arguments = {"rclone", "--remote-path=" + rclone.remote_path, "--rclone-args=--config=" + context.paths.rclone_file()}};
  connection.copies_rclone_config = true;
  return connection;
}

}  // namespace

result connection_to(proto::repository_access const& access, given const& from, run_paths const& paths) {
  context context{access, from, paths};
  return std::visit([&](auto const& backend) { return connect_to(backend, context); }, access.backend);
}

environment kopia_environment(connection const& connection, given const& from, run_paths const& paths) {
  environment all = connection.variables;
  for (auto* name : {"PATH", "KOPIA_PASSWORD", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
                     "SSL_CERT_FILE", "SSL_CERT_DIR", "GOMEMLIMIT", "GOMAXPROCS"})
    if (auto found = from.variables.find(name); found != from.variables.end()) all[name] = found->second;
  all["HOME"] = paths.private_folder;
  all["TMPDIR"] = paths.private_folder;
  all["TZ"] = "UTC";
  all["KOPIA_CONFIG_PATH"] = paths.config_file();
  all["KOPIA_CHECK_FOR_UPDATES"] = "false";
  all["KOPIA_PERSIST_CREDENTIALS_ON_CONNECT"] = "false";
  all["KOPIA_USE_KEYRING"] = "false";
  all["KOPIA_SEND_ERROR_NOTIFICATIONS"] = "never";
  all["KOPIA_DISABLE_COLOR"] = "true";
  return all;
}

std::vector<std::string> secrets_in(environment const& variables) {
  std::vector<std::string> secrets;
  for (auto const& [name, value] : variables)
    for (std::string_view part : {"PASSWORD", "SECRET", "TOKEN", "KEY"})
      if (name.find(part) != std::string::npos && !name.ends_with("_FILE") && !value.empty()) {
        secrets.push_back(value);
        break;
      }
  std::ranges::sort(secrets, std::ranges::greater{}, &std::string::size);  // longest first: one secret may contain another
  return secrets;
}

}  // namespace kopiur::mover
