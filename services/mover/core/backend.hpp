#pragma once
#include <expected>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "proto/kopiur/kopia_task.hpp"

/// Translates a repository location into kopia arguments, per backend. Arguments never contain a secret: keys come from the environment or
/// files.
namespace kopiur::mover {

using environment = std::map<std::string, std::string>;

/// The mover's inputs in addition to the work: its own environment, and the names of the files under `secrets`.
struct given {
  environment variables;
  std::set<std::string> secret_files;
};

/// How to reach a backend.
struct connection {
  std::vector<std::string> arguments;  ///< after `repository connect` or `create`
  environment variables;               ///< for every kopia command
  bool keys_in_config = false;         ///< kopia writes keys in clear text into its config file, which must be on a tmpfs
  std::string folder;                  ///< filesystem: the repository's path; else empty
  /// sftp with a password, for which kopia has no variable: the connection token, written to the file that `arguments` name.
  std::string token;
  bool copies_rclone_config = false;  ///< rclone rewrites its config: `arguments` name a copy of it, `rclone.conf`
};

/// Paths of one run's private files (on a tmpfs); `arguments` name files in it.
struct run_paths {
  std::string private_folder;
  std::string config_file() const { return private_folder + "/repository.config"; }
  std::string cache() const { return private_folder + "/cache"; }
  std::string policy_file() const { return private_folder + "/policy.json"; }
  std::string token_file() const { return private_folder + "/token"; }
  /// The path at which a confined restore sees its target. kopia also removes a file next to the target, and the real target's parent is
  /// read-only.
  std::string target() const { return private_folder + "/target"; }
  /// The socket on which a serving kopia listens. A socket path may have at most 107 bytes.
  std::string socket() const { return private_folder + "/kopia.sock"; }
  std::string rclone_file() const { return private_folder + "/rclone.conf"; }
};

/// Fails with BackendMisconfigured (the sentence names the field) when the settings or secrets are inconsistent.
std::expected<connection, proto::run_failure> connection_to(proto::repository_access const&, given const&, run_paths const&);

/// The complete environment of every kopia command: our settings, the password, the backend's variables, proxies and certificates; nothing
/// else.
environment kopia_environment(connection const&, given const&, run_paths const&);

/// The values in `variables` that must never be printed: passwords, keys, tokens.
std::vector<std::string> secrets_in(environment const& variables);

}  // namespace kopiur::mover
