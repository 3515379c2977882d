#pragma once
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kopiur::kubernetes {

/// A program that returns credentials (exec_plugin.hpp).
struct exec_plugin {
  std::string api_version;  ///< of its input and output
  std::string command;      ///< a path, or a name that is searched in PATH
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;  ///< in addition to the caller's environment
  std::string install_hint;                        ///< for users who have not installed it
  std::string task;                                ///< JSON: its input (KUBERNETES_EXEC_INFO)
};

/// The address of the API server, and the credentials of its client.
struct access {
  std::string server;                  ///< `https://host:port`, optionally with a path
  std::string tls_server_name;         ///< the name in its certificate, when it is not the host of `server`
  std::string authority;               ///< PEM: the authorities that may sign its certificate; empty: the system's
  std::string certificate, key;        ///< PEM: the client's
  std::string token;                   ///< a bearer token
  std::filesystem::path token_file;    ///< a file with a bearer token, which is replaced from time to time
  std::optional<exec_plugin> exec;     ///< a program that returns token or certificate, instead of these
  std::string namespace_ = "default";  ///< the namespace of a command that names none
};

/// Reads a kubeconfig file: `context`, or its `current-context`. Paths in it are relative to its folder. The error is a sentence with the
/// file and the field. Refused: plain http, a server whose certificate is not checked, and user and password (removed from the API server).
std::expected<access, std::string> from_kubeconfig(std::filesystem::path const& file, std::string const& context = "");
/// The same from its text. `file` is its path; `content_of` reads a file that it names, and returns nothing when that fails.
std::expected<access, std::string> read_kubeconfig(
    std::string_view text, std::filesystem::path const& file, std::string const& context,
    std::function<std::optional<std::string>(std::filesystem::path const&)> const& content_of);

/// For a pod's service account: the server from `KUBERNETES_SERVICE_HOST` and `_PORT`, the rest from files that the kubelet mounts.
std::expected<access, std::string> from_pod(std::filesystem::path const& mounted = "/var/run/secrets/kubernetes.io/serviceaccount");

/// The current token in a file; empty when it cannot be read.
std::string token_in(std::filesystem::path const& file);

}  // namespace kopiur::kubernetes
