#pragma once
#include "services/gateway/adapters/local/jobs.hpp"

namespace kopiur::gateway::local {

/// The values of the Secrets that a Job uses, as its mover gets them.
struct job_secrets {
  std::vector<std::string> environment;                    ///< `NAME=value`
  std::vector<std::pair<std::string, std::string>> files;  ///< name, content
  std::vector<std::string> values;                         ///< all of them: what a log must not show
};
/// Refused with the Secret and key that are missing.
outcome<job_secrets> resolve_secrets(object_map const& objects, proto::create_job const& spec);
/// One value of a Secret.
outcome<std::string> secret_value(object_map const& objects, object_key const& secret, std::string const& key);
/// The real folders of a Job's volumes, by name.
outcome<std::map<std::string, std::string>> resolve_volumes(object_map const& objects, proto::create_job const& spec);

/// What a mover is started from.
struct mover_site {
  object_map const& objects;
  secrets_folder const& secrets;
  mover_settings const& settings;
  fs::path const& data;
};
/// Why it cannot be started now, as a Job's status says it.
struct not_yet {
  std::string reason, message;
};
/// What a mover gets, with real paths; files with secrets are in their room under the given name.
struct furnished_work {
  std::string text;                      ///< of the work file
  std::vector<std::string> environment;  ///< `NAME=value`, secrets among them
  std::vector<std::string> secret_values;
};
std::expected<furnished_work, not_yet> furnish(mover_site const& site, std::string const& name, proto::create_job const& spec);
/// A mover that can be started: its files are written, and its lock is held.
struct ready_mover {
  mover_start how;
  file lock;
  std::vector<std::string> secret_values;
};
std::expected<ready_mover, not_yet> prepare_mover(mover_site const& site, job_folder const& folder, proto::create_job const& spec);

}  // namespace kopiur::gateway::local
