#include "services/mover/core/commands.hpp"

#include <algorithm>

#include "services/mover/core/manifest.hpp"
#include "services/mover/core/policy.hpp"

namespace kopiur::mover {

namespace {

arguments with_ours(arguments command) {
  command.insert(command.end(), {"--no-auto-maintenance", "--disable-file-logging", "--disable-content-log"});
  if (std::ranges::find(command, "--progress") == command.end()) command.push_back("--no-progress");
  return command;
}

void add_all(arguments& args, arguments const& more) { args.insert(args.end(), more.begin(), more.end()); }

std::string flag(std::string const& name, bool enabled) { return (enabled ? "--" : "--no-") + name; }

// The time layout that kopia parses. kopia silently treats any zone name other than UTC as offset 0.
std::string kopia_time(instant when) {
  auto text = to_text(std::chrono::floor<std::chrono::seconds>(when));  // 2026-01-02T03:04:05Z
  return text.substr(0, 10) + " " + text.substr(11, 8) + " UTC";
}

// Sets both of kopia's limits: above the soft limit alone kopia evicts only entries that are older than one of our runs.
void add_cache_size(arguments& arguments, std::string const& which, std::optional<std::int64_t> megabytes) {
  if (!megabytes) return;
  for (auto* limit : {"-cache-size-mb=", "-cache-size-limit-mb="}) arguments.push_back("--" + which + limit + std::to_string(*megabytes));
}

void add_cache(arguments& arguments, proto::repository_access const& access) {
  // Without a cache folder the cache is on the run's tmpfs, which is small. Not 0: then kopia does not keep the format blob there either.
  bool own = !access.cache_directory.empty() && access.unique_ID;
  add_cache_size(arguments, "content", own ? access.content_cache_MB : 1);
  add_cache_size(arguments, "metadata", own ? access.metadata_cache_MB : 1);
}

arguments client(connect_options const& options, run_paths const& paths) {
  arguments all{"--override-username=" + options.access.username, "--override-hostname=" + options.access.hostname,
                "--cache-directory=" + paths.cache(), "--max-list-cache-duration=0s"};
  add_cache(all, options.access);
  if (options.read_only || options.access.read_only) all.push_back("--readonly");
  return all;
}

}  // namespace

arguments version_command() { return {"--version"}; }

arguments connect_command(connection const& connection, connect_options const& options, run_paths const& paths) {
  arguments command{"repository", "connect"};
  add_all(command, connection.arguments);
  add_all(command, client(options, paths));
  return with_ours(std::move(command));
}

arguments create_command(connection const& connection, connect_options const& options, run_paths const& paths,
                         proto::create_behavior const& make) {
  arguments command{"repository", "create"};
  add_all(command, connection.arguments);
  add_all(command, client(options, paths));
  if (make.encryption) command.push_back("--encryption=" + *make.encryption);
  if (make.hash) command.push_back("--block-hash=" + *make.hash);
  if (make.splitter) command.push_back("--object-splitter=" + *make.splitter);
  if (make.ecc && make.ecc->algorithm) command.push_back("--ecc=" + *make.ecc->algorithm);
  if (make.ecc && make.ecc->overhead_percent) command.push_back("--ecc-overhead-percent=" + std::to_string(*make.ecc->overhead_percent));
  return with_ours(std::move(command));
}

arguments status_command() { return with_ours({"repository", "status", "--json"}); }

arguments show_policy_command(std::string const& target) {
  return with_ours({"policy", "show", "--json", target.empty() ? "--global" : target});
}

arguments keep_everything_command() {
  return with_ours({"policy", "set", "--global", "--keep-latest=0", "--keep-hourly=0", "--keep-daily=0", "--keep-weekly=0",
                    "--keep-monthly=0", "--keep-annual=0"});
}

arguments import_policy_command(run_paths const& paths) { return with_ours({"policy", "import", "--from-file=" + paths.policy_file()}); }

arguments snapshot_command(proto::snapshot_work const& task, std::string const& run, std::optional<proto::baseline> const& baseline) {
  arguments command{"snapshot",
                    "create",
                    task.path,
                    "--json",
                    "--json-verbose",
                    "--progress",
                    "--progress-update-interval=1s",
                    "--override-source=" + source_text(task.source),
                    "--tags=" + std::string(run_tag) + ":" + run};
  if (baseline)
    command.push_back("--tags=" + std::string(baseline_tag) + ":" + baseline->snapshot + "/" + std::to_string(baseline->percent));
  for (auto const& [key, value] : task.tags) command.push_back("--tags=" + key + ":" + value);
  if (task.description) command.push_back("--description=" + *task.description);
  if (task.start_time) command.push_back("--start-time=" + kopia_time(*task.start_time));
  if (task.end_time) command.push_back("--end-time=" + kopia_time(*task.end_time));
  // An import of history reads another folder than earlier snapshots did: equal name, size and time do not imply equal content.
  constexpr std::string_view hashes = "--force-hash=";
  if (task.start_time) command.push_back(std::string(hashes) + "100");
  for (auto const& each : task.policy.extra_args)
    if (!task.start_time || !each.starts_with(hashes)) command.push_back(each);
  return with_ours(std::move(command));
}

arguments list_command(std::string const& run) {
  arguments command{"snapshot", "list", "--json", "--all", "--no-retention"};
  if (!run.empty()) command.push_back("--tags=" + std::string(run_tag) + ":" + run);
  return with_ours(std::move(command));
}

arguments list_source_command(proto::identity const& source) {
  return with_ours({"snapshot", "list", "--json", "--all", "--no-retention", source_text(source)});
}

arguments estimate_command(std::string const& folder, std::size_t most) {
  return with_ours({"snapshot", "estimate", folder, "--quiet", "--max-examples-per-bucket=" + std::to_string(most)});
}

arguments delete_command(std::vector<std::string> const& ids) {
  arguments command{"snapshot", "delete", "--delete"};
  add_all(command, ids);
  return with_ours(std::move(command));
}

arguments show_manifest_command(std::string const& id) { return with_ours({"manifest", "show", id}); }

arguments show_object_command(std::string const& object, std::string const& path) {
  auto relative = path.substr(std::min(path.size(), path.find_first_not_of('/')));
  while (relative.ends_with('/')) relative.pop_back();
  return with_ours({"show", relative.empty() ? object : object + "/" + relative});
}

arguments serve_command(run_paths const& paths) {
  return with_ours({"server", "start", "--address=unix:" + paths.socket(), "--insecure", "--without-password",
                    "--disable-csrf-token-checks", "--no-grpc", "--no-control-api"});
}

arguments restore_command(proto::restore_work const& task, std::string const& target) {
  auto& flags = task.options;
  auto below = flags.path ? "/" + *flags.path : std::string();
  arguments command{"restore",
                    task.snapshot_ID + below,
                    target + below,
                    "--progress",
                    "--progress-update-interval=1s",
                    flag("write-files-atomically", flags.write_files_atomically),
                    flag("ignore-permission-errors", flags.ignore_permission_errors),
                    flag("delete-extra", flags.enable_file_deletion)};
  if (flags.parallel) command.push_back("--parallel=" + std::to_string(*flags.parallel));
  if (flags.skip_owners) command.push_back("--skip-owners");
  if (flags.skip_permissions) command.push_back("--skip-permissions");
  if (flags.sparse) command.push_back("--write-sparse-files");
  // The target was compared before: a file that differs was refused.
  if (!flags.overwrite_files) command.push_back("--skip-existing");
  return with_ours(std::move(command));
}

arguments maintenance_info_command() { return with_ours({"maintenance", "info", "--json"}); }
arguments set_owner_command(std::string const& owner) { return with_ours({"maintenance", "set", "--owner=" + owner}); }
arguments maintain_command(bool full) { return with_ours({"maintenance", "run", flag("full", full)}); }

}  // namespace kopiur::mover
