#pragma once
#include <string>
#include <vector>

#include "services/mover/core/backend.hpp"

/// The arguments of every kopia command that kopiur runs, without the program. Each includes flags that keep kopia from acting on its own:
/// --no-auto-maintenance (kopia would run full maintenance inside a backup and change its exit code), no file logs, no progress unless
/// requested.
namespace kopiur::mover {

using arguments = std::vector<std::string>;

/// The identity and mode of a connection.
struct connect_options {
  proto::repository_access const& access;
  bool read_only = false;
};

arguments version_command();
arguments connect_command(connection const&, connect_options const&, run_paths const&);
arguments create_command(connection const&, connect_options const&, run_paths const&, proto::create_behavior const&);
arguments status_command();
/// `target`: empty for the global policy.
arguments show_policy_command(std::string const& target);
/// Sets every keep-* of the global policy to 0.
arguments keep_everything_command();
arguments import_policy_command(run_paths const&);
/// `with`: the baseline for the shrink comparison; stored in a tag.
arguments snapshot_command(proto::snapshot_work const&, std::string const& run, std::optional<proto::baseline> const& baseline = {});
/// Lists the snapshots of one source.
arguments list_source_command(proto::identity const& source);
/// Lists every snapshot, or those of one run; never with kopia's retention reasons, which are costly and have no meaning here.
arguments list_command(std::string const& run = {});
/// Reports what a snapshot of the folder would contain, and names what it would exclude: at most `most` of each kind.
arguments estimate_command(std::string const& folder, std::size_t most);
arguments delete_command(std::vector<std::string> const& ids);
arguments show_manifest_command(std::string const& id);
arguments show_object_command(std::string const& object, std::string const& path);
/// Serves the repository's objects on a socket that only this user can reach.
arguments serve_command(run_paths const&);
/// `target` is the path at which kopia sees task.target.
arguments restore_command(proto::restore_work const&, std::string const& target);
arguments maintenance_info_command();
arguments set_owner_command(std::string const& owner);
arguments maintain_command(bool full);

}  // namespace kopiur::mover
