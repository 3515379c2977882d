#pragma once
#include <expected>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "proto/work.hpp"

/// How kopia is told where a repository lies, per backend. Nothing secret is ever in the arguments: keys come by environment or file.
namespace kopiur::mover {

using environment = std::map<std::string, std::string>;

/// What the mover was given besides the work: its own environment, and the names of the files under `secrets`.
struct given {
  environment variables;
  std::set<std::string> secret_files;
};

/// How to reach a backend.
struct connection {
  std::vector<std::string> arguments;  ///< after `repository connect` or `create`
  environment variables;               ///< for every kopia command
  bool keys_in_config = false;         ///< kopia writes keys in clear into its config file: it must lie on a tmpfs
  std::string folder;                  ///< filesystem: where the repository lies; else empty
  /// sftp with a password, for which kopia has no variable: its connection token, for the file that `arguments` name.
  std::string token;
  bool copies_rclone_config = false;  ///< rclone rewrites its config: `arguments` name a copy of it, `rclone.conf`
};

/// Where the mover keeps what is private to one run (a tmpfs); `arguments` name files in it.
struct run_paths {
  std::string private_folder;
  std::string config_file() const { return private_folder + "/repository.config"; }
  std::string cache() const { return private_folder + "/cache"; }
  std::string policy_file() const { return private_folder + "/policy.json"; }
  std::string token_file() const { return private_folder + "/token"; }
  /// Where a confined restore finds its target: kopia also removes a file beside it, and beside the real one nothing can be written.
  std::string target() const { return private_folder + "/target"; }
  /// Where a kopia that serves listens: its path may have 107 bytes.
  std::string socket() const { return private_folder + "/kopia.sock"; }
  std::string rclone_file() const { return private_folder + "/rclone.conf"; }
};

/// BackendMisconfigured (a sentence names the field) when the settings or secrets do not fit together.
std::expected<connection, proto::run_failure> connection_to(proto::repository_access const&, given const&, run_paths const&);

/// The whole environment of every kopia command: ours, the password, the backend's; nothing else comes along but proxies and certificates.
environment kopia_environment(connection const&, given const&, run_paths const&);

/// The values in `variables` that must never be printed: passwords, keys, tokens.
std::vector<std::string> secrets_in(environment const& variables);

}  // namespace kopiur::mover
