#pragma once
#include "proto/events/command.hpp"
#include "services/gateway/core/jobs.hpp"
#include "services/gateway/core/mover_output.hpp"
#include "services/gateway/local/job_folder.hpp"
#include "services/gateway/local/secrets_folder.hpp"
#include "services/gateway/local/volumes.hpp"

namespace kopiur::gateway::local {

/// How movers are started.
struct mover_settings {
  std::string program = "kopiur-mover";
  std::vector<std::string> environment;  ///< `NAME=value`, for every mover; secrets are added
  duration grace{10'000};                ///< between SIGTERM and SIGKILL
  output_limits output{};
};

/// Movers of this host: they inherit only the search path and a few similar variables of the gateway's environment.
mover_settings movers_of_host(std::string program);
/// Where movers of this host create their private folders (mover/shell/private_folder.hpp).
std::vector<fs::path> folders_of_movers();

/// The values of the Secrets that a Job uses, in the form in which its mover gets them.
struct job_secrets {
  std::vector<std::string> environment;                    ///< `NAME=value`
  std::vector<std::pair<std::string, std::string>> files;  ///< name, content
  std::vector<std::string> values;                         ///< all of them: a log must not show these
};
/// Refused with the name of the missing Secret and key.
outcome<job_secrets> resolve_secrets(object_map const& objects, proto::create_job const& spec);
/// One value of a Secret.
outcome<std::string> secret_value(object_map const& objects, object_key const& secret, std::string const& key);
/// The real folders of a Job's volumes, by name.
outcome<std::map<std::string, std::string>> resolve_volumes(object_map const& objects, proto::create_job const& spec);

/// What is needed to start a mover.
struct mover_site {
  object_map const& objects;
  secrets_folder const& secrets;
  mover_settings const& settings;
  fs::path const& data;
};
/// Why it cannot be started now, for the Job's status.
struct not_yet {
  std::string reason, message;
};
/// The input of a mover, with real paths; files with secrets are in the secrets folder under the given name.
struct furnished_work {
  std::string text;                      ///< the content of the work file
  std::vector<std::string> environment;  ///< `NAME=value`, including secrets
  std::vector<std::string> secret_values;
};
std::expected<furnished_work, not_yet> furnish(mover_site const& site, std::string const& name, proto::create_job const& spec);
/// A mover that is ready to start: its files are written, and its lock is held.
struct ready_mover {
  process::detached_start start;
  files::file lock;
  std::vector<std::string> secret_values;
};
std::expected<ready_mover, not_yet> prepare_mover(mover_site const& site, job_folder const& folder, proto::create_job const& spec);

}  // namespace kopiur::gateway::local
