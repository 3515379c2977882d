#include "common/kubernetes/access.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "common/config/manifest.hpp"
#include "common/encoding/base64.hpp"
#include "common/kubernetes/exec_plugin.hpp"

namespace kopiur::kubernetes {

namespace fs = std::filesystem;

namespace {

/// A problem with a kubeconfig; caught where the file's name is known.
struct wrong {
  std::string what;
};

std::optional<std::string> content_of(fs::path const& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  return in ? std::optional(std::move(text)) : std::nullopt;
}

using reader = std::function<std::optional<std::string>(fs::path const&)>;

std::string read_all(fs::path const& path, reader const& from) {
  auto text = from(path);
  if (!text) throw wrong{path.string() + " cannot be read"};
  return *std::move(text);
}

/// The content of `<name>-data` (base64), or of the file that `<name>` names; empty when neither exists.
std::string material(json::value const& value, std::string const& name, fs::path const& folder, reader const& files) {
  auto data = value.text(name + "-data");
  if (!data.empty()) {
    auto bytes = encoding::from_base64(data);
    if (!bytes) throw wrong{name + "-data is not base64"};
    return *bytes;
  }
  auto path = value.text(name);
  return path.empty() ? std::string() : read_all(folder / path, files);
}

/// The entry of that name in `clusters`, `users` or `contexts`: `[{name: N, cluster: {...}}, ...]`.
json::value const& entry(json::value const& all, std::string_view list, std::string_view member, std::string_view name) {
  auto* entries = all.find(list);
  if (entries && entries->as_array())
    for (auto& each : *entries->as_array())
      if (auto* content = each.find(member); content && each.text("name") == name) return *content;
  throw wrong{"no entry of `" + std::string(list) + "` is called \"" + std::string(name) + "\""};
}

bool is_true(json::value const& value, std::string_view name) {
  auto* found = value.find(name);
  return found && found->as_bool() && *found->as_bool();
}

access read(json::value const& all, std::string context, fs::path const& folder, reader const& files) {
  if (context.empty()) context = all.text("current-context");
  if (context.empty()) throw wrong{"`current-context` is not set; set it, or name a context"};
  auto& chosen = entry(all, "contexts", "context", context);
  auto& cluster = entry(all, "clusters", "cluster", chosen.text("cluster"));
  auto& user = entry(all, "users", "user", chosen.text("user"));
  if (is_true(cluster, "insecure-skip-tls-verify"))
    throw wrong{"`insecure-skip-tls-verify` is set; give the cluster's `certificate-authority` instead"};
  if (!cluster.text("server").starts_with("https://")) throw wrong{"the cluster's `server` is not an https:// URL"};
  if (!user.text("username").empty()) throw wrong{"the user has `username` and `password`, which API servers no longer take"};
  access found{.server = std::string(cluster.text("server")),
               .tls_server_name = std::string(cluster.text("tls-server-name")),
               .authority = material(cluster, "certificate-authority", folder, files),
               .certificate = material(user, "client-certificate", folder, files),
               .key = material(user, "client-key", folder, files),
               .token = std::string(user.text("token"))};
  if (found.certificate.empty() != found.key.empty()) throw wrong{"`client-certificate` and `client-key` belong together; one is missing"};
  if (auto path = user.text("tokenFile"); !path.empty() && found.token.empty()) found.token_file = folder / path;
  if (auto ns = chosen.text("namespace"); !ns.empty()) found.namespace_ = ns;
  if (auto* exec = user.find("exec")) {
    auto program = read_exec(*exec, folder, cluster, found.authority);
    if (!program) throw wrong{program.error()};
    found.exec = std::move(*program);
  }
  while (found.server.ends_with('/')) found.server.pop_back();
  return found;
}

}  // namespace

namespace {

using documents = std::expected<std::vector<config::manifest>, config::problem>;

std::expected<access, std::string> read_documents(documents const& found, fs::path const& file, std::string const& context,
                                                  reader const& files) {
  if (!found) return std::unexpected("The kubeconfig cannot be read: " + found.error().text() + ".");
  try {
    if (found->size() != 1) throw wrong{"it holds " + std::to_string(found->size()) + " documents, not one"};
    return read(found->front().content, context, file.parent_path(), files);
  } catch (wrong const& because) {
    return std::unexpected("The kubeconfig " + file.string() + " cannot be used: " + because.what + ".");
  }
}

}  // namespace

std::expected<access, std::string> from_kubeconfig(fs::path const& file, std::string const& context) {
  return read_documents(config::read_manifest_file(file), file, context, content_of);
}

std::expected<access, std::string> read_kubeconfig(std::string_view text, fs::path const& file, std::string const& context,
                                                   reader const& files) {
  return read_documents(config::read_manifests(text, file.string()), file, context, files);
}

std::expected<access, std::string> from_pod(fs::path const& mounted) {
  auto *host = std::getenv("KUBERNETES_SERVICE_HOST"), *port = std::getenv("KUBERNETES_SERVICE_PORT");
  if (!host || !port)
    return std::unexpected("This is not a pod of a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set.");
  auto name = std::string(host).contains(':') ? "[" + std::string(host) + "]" : std::string(host);
  try {
    access found{
        .server = "https://" + name + ":" + port, .authority = read_all(mounted / "ca.crt", content_of), .token_file = mounted / "token"};
    found.namespace_ = read_all(mounted / "namespace", content_of);
    return found;
  } catch (wrong const& because) {
    return std::unexpected("The pod's service account cannot be used: " + because.what + "; is automountServiceAccountToken off?");
  }
}

std::string token_in(fs::path const& file) {
  auto text = content_of(file).value_or("");
  return text.substr(0, text.find_last_not_of("\r\n") + 1);
}

}  // namespace kopiur::kubernetes
