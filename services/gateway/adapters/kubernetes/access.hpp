#pragma once
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kopiur::gateway::kubernetes {

/// A program that says who we are (exec_plugin.hpp).
struct exec_plugin {
  std::string api_version;  ///< of what it is told and what it prints
  std::string command;      ///< a path, or a name that is looked for in PATH
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;  ///< besides our own
  std::string install_hint;                        ///< for whoever has not got it
  std::string task;                                ///< JSON: what it is told
};

/// Where the API is, and as whom we speak to it.
struct access {
  std::string server;                  ///< `https://host:port`, perhaps with a path
  std::string tls_server_name;         ///< the name in its certificate, where that is not the host of `server`
  std::string authority;               ///< PEM: who may have signed its certificate; empty: the system's authorities
  std::string certificate, key;        ///< PEM: ours
  std::string token;                   ///< a bearer token
  std::filesystem::path token_file;    ///< the same in a file, which is replaced from time to time
  std::optional<exec_plugin> exec;     ///< a program that says token or certificate, instead of these
  std::string namespace_ = "default";  ///< what a command without a namespace means
};

/// From a kubeconfig file: of `context`, or of its `current-context`. Paths in it count from its folder. The error is a sentence with the
/// file and the field. Refused: plain http, a server whose certificate is not to be checked, and user and password (gone from the API
/// server).
std::expected<access, std::string> from_kubeconfig(std::filesystem::path const& file, std::string const& context = "");
/// The same from its text. `file` is where it stands; `content_of` reads a file that it names, and says nothing when that cannot be read.
std::expected<access, std::string> read_kubeconfig(
    std::string_view text, std::filesystem::path const& file, std::string const& context,
    std::function<std::optional<std::string>(std::filesystem::path const&)> const& content_of);

/// As a pod's service account: the server from `KUBERNETES_SERVICE_HOST` and `_PORT`, the rest from what the kubelet mounts.
std::expected<access, std::string> from_pod(std::filesystem::path const& mounted = "/var/run/secrets/kubernetes.io/serviceaccount");

/// The token that stands in a file now; empty when it cannot be read.
std::string token_in(std::filesystem::path const& file);

}  // namespace kopiur::gateway::kubernetes
