#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "common/encoding/quantity.hpp"
#include "services/cli/core/kinds.hpp"
#include "services/cli/core/suspending.hpp"
#include "services/cli/shell/session.hpp"
#include "services/cli/shell/verbs.hpp"

namespace kopiur::cli {

namespace {

std::string default_data() {
  if (auto* set = std::getenv("KOPIUR_DATA")) return set;
  if (auto* home = std::getenv("XDG_DATA_HOME")) return std::string(home) + "/kopiur";
  auto* home = std::getenv("HOME");
  return std::string(home ? home : ".") + "/.local/share/kopiur";
}

std::string from_environment(char const* name, std::string otherwise) {
  auto* set = std::getenv(name);
  return set ? set : otherwise;
}

/// The parsed arguments of all verbs.
struct arguments {
  cli::settings settings;
  std::string kind, name, config, backup, field, file, shell, restore_name, capacity, claim, source_path, as_of, identity, snapshot, reason,
      repository, path;
  bool dry_run = false, require_ownership = false;
  std::vector<std::string> names, files, times, folders;
  bool wait = false, follow = false, deleted = false, existing = false, env = false;
  int offset = 0, replicas = 1;
  std::string store = "10Gi";
  std::size_t most = 20;
  std::uint64_t show = 0, retry = 0, drop = 0;
  executor::snapshot_check snapshot_check;
};

constexpr double least_store = 1e8;  // below that a share of it holds no large message
std::string check_bytes(std::string const& text) {
  return encoding::bytes_of(text) >= least_store ? std::string()
                                                 : "\"" + text + "\" is not a number of bytes from 100M on: write it like 20G.";
}
std::int64_t bytes(std::string const& text) { return static_cast<std::int64_t>(encoding::bytes_of(text)); }

std::string check_kind(std::string const& text) {
  auto found = find_kind(text);
  return found ? std::string() : found.error();
}
/// The name of a kind, for help texts.
template <class T>
std::string named() {
  return std::string(T::info.kind);
}
std::string check_suspendable_kind(std::string const& text) {
  auto found = find_suspendable_kind(text);
  return found ? std::string() : found.error();
}
/// The plurals of the kinds that `find` accepts.
std::vector<std::string> plurals(auto const& find) {
  std::vector<std::string> found;
  for (auto& each : all_kinds())
    if (find(each.plural)) found.emplace_back(each.plural);
  return found;
}
std::string check_instant(std::string const& text) {
  return instant_from(text) ? std::string() : "\"" + text + "\" is not a valid time: write it like 2026-11-21T06:00:00Z.";
}

std::optional<std::string> optional(std::string const& text) { return text.empty() ? std::nullopt : std::optional(text); }

/// Builds the verbs. Each is an option group on the application; its callback sets the exit code.
class builder {
 public:
  builder(CLI::App& app, arguments& arguments, int& code) : app_(app), arguments_(arguments), code_(code) {}

  void build() {
    everything();
    objects();
    runs();
    insight();
    etcd();
    bus();
    completion();
  }

 private:
  CLI::App* verb(CLI::App& under, char const* name, char const* help, std::function<int()> act) {
    auto* made = under.add_subcommand(name, help);
    made->fallthrough();
    made->callback([this, act = std::move(act)] { code_ = act(); });
    return made;
  }
  void kind_argument(CLI::App* command) {
    kinds_[command] = plurals(find_kind);
    command->add_option("kind", arguments_.kind, "Kind, in any of its names: backups, Backup, kopiarepo ...")
        ->required()
        ->check(CLI::Validator(check_kind, "KIND"));
  }
  void suspendable_arguments(CLI::App* command) {
    kinds_[command] = plurals(find_suspendable_kind);
    command->add_option("kind", arguments_.kind, "Repository, ClusterRepository, BackupConfig, BackupSchedule or Maintenance")
        ->required()
        ->check(CLI::Validator(check_suspendable_kind, "KIND"));
    command->add_option("name", arguments_.name, "Name")->required();
  }
  void wait_options(CLI::App* command) {
    command->add_flag("--wait,-w", arguments_.wait, "Wait until it ends, with progress");
    command->add_option("--timeout", arguments_.settings.timeout, "Seconds to wait")->capture_default_str();
  }
  void source_option(CLI::App* command) {
    command->add_option("--source-path", arguments_.source_path, "Which source, where the config has several");
  }

  void everything() {
    auto& settings = arguments_.settings;
    app_.add_option("--data", settings.data, "Data folder of kopiur up (KOPIUR_DATA)")->capture_default_str();
    app_.add_option("--bus", settings.bus, "URL of another bus (KOPIUR_BUS)");
    app_.add_option("--credentials", settings.credentials, "File with its credentials (KOPIUR_CREDENTIALS)");
    app_.add_option("--ca-file", settings.ca_file, "Authorities of a tls:// bus, PEM (KOPIUR_NATS_CA_FILE)");
    app_.add_option("--cluster", settings.cluster, "Cluster on the bus")->capture_default_str();
    app_.add_option("-n,--namespace", settings.ns, "Namespace")->capture_default_str();
    app_.add_flag("-A,--all-namespaces", settings.all_namespaces, "All namespaces");
    app_.add_option("-o,--output", settings.output, "table, wide (more columns), json or yaml")
        ->check(CLI::IsMember({"table", "wide", "json", "yaml"}))
        ->capture_default_str();
    auto* up = verb(app_, "up", "Run everything here: the bus, all services, the local adapter",
                    [this] { return up_command(arguments_.settings); });
    up->add_option("--manifests", settings.manifests, "Folder of manifests, only read");
    up->add_option("--config", settings.configuration, "Folder with buckety-controller.yaml: the backends of Bucketys");
    up->add_option("--http", settings.http, "Where /healthz, /readyz and /metrics are; the file http of the data folder has the port")
        ->capture_default_str();
    up->add_option("--bus-store", settings.bus_store, "Bytes that the bus may keep in the data folder, such as 20G")
        ->capture_default_str()
        ->check(check_bytes);
    up->add_flag("--restore-by-request", settings.restore_by_request, "Let every client of the bus request restores too");
    up->add_flag("--verbose", settings.verbose, "Write more into the journal");
  }

  void objects() {
    auto* get = verb(app_, "get", "Objects of a kind, or one of them", [this] {
      auto& all = arguments_;
      return all.env ? secret_env_command(all.settings, all.kind, all.name) : get_command(all.settings, all.kind, all.name, all.field);
    });
    kind_argument(get);
    get->add_flag("--env", arguments_.env,
                  "Print the values of a Secret of this host, for a shell: eval \"$(kopiur get secret NAME --env)\"");
    get->add_option("name", arguments_.name, "Name");
    get->add_option("--field", arguments_.field, "Print this field alone, such as status.phase");
    auto* list =
        verb(app_, "backups", "Backups by time, with sizes", [this] { return backups_command(arguments_.settings, arguments_.config); });
    list->add_option("--config", arguments_.config, "Of this BackupConfig alone");
    auto* apply = verb(app_, "apply", "Create or change objects from manifests",
                       [this] { return apply_command(arguments_.settings, arguments_.files); });
    apply->add_option("-f,--file", arguments_.files, "Files or folders")->required();
    auto* remove = verb(app_, "delete", "Delete objects; a Backup's snapshot goes as its deletion policy says",
                        [this] { return delete_command(arguments_.settings, arguments_.kind, arguments_.names, arguments_.wait); });
    kind_argument(remove);
    remove->add_option("name", arguments_.names, "Names")->required();
    wait_options(remove);
    auto* cancel = verb(app_, "cancel", "Stop the run of a Backup or a Restore",
                        [this] { return cancel_command(arguments_.settings, arguments_.kind, arguments_.name); });
    kind_argument(cancel);
    cancel->add_option("name", arguments_.name, "Name")->required();
    auto* accept = verb(app_, "accept", "Accept a Backup that is held because it shrank",
                        [this] { return accept_command(arguments_.settings, arguments_.name); });
    accept->add_option("backup", arguments_.name, "Name of the Backup")->required();
    auto* suspend = verb(app_, "suspend", "Start nothing of an object until it is resumed; its manifest stays as it is",
                         [this] { return suspend_command(arguments_.settings, arguments_.kind, arguments_.name, arguments_.reason); });
    suspendable_arguments(suspend);
    suspend->add_option("--reason", arguments_.reason, "Reason, shown in its status");
    suspendable_arguments(verb(app_, "resume", "End what kopiur suspend began",
                               [this] { return resume_command(arguments_.settings, arguments_.kind, arguments_.name); }));
    auto* wait = verb(app_, "wait", "Wait until an object is over: a Backup or Restore has ended, a Repository is ready",
                      [this] { return wait_command(arguments_.settings, arguments_.kind, arguments_.name, arguments_.deleted); });
    kind_argument(wait);
    wait->add_option("name", arguments_.name, "Name")->required();
    wait->add_flag("--deleted", arguments_.deleted, "Until it is deleted");
    wait->add_option("--timeout", arguments_.settings.timeout, "Seconds to wait")->capture_default_str();
  }

  void runs() {
    auto* backup = app_.add_subcommand("backup", "Take a backup")->require_subcommand(1)->fallthrough();
    auto* now = verb(*backup, "now", "Ask for a backup of a BackupConfig", [this] {
      return backup_now_command(arguments_.settings, arguments_.config, optional(arguments_.source_path), arguments_.wait);
    });
    now->add_option("config", arguments_.config, named<proto::backup_config>())->required();
    source_option(now);
    wait_options(now);
    auto* import = verb(app_, "import", "Bring history in: a folder as a backup of a past time", [this] { return import_all(); });
    import->add_option("--config", arguments_.config, named<proto::backup_config>())->required();
    import->add_option("--at", arguments_.times, "When it was taken; once for each --from")
        ->required()
        ->check(CLI::Validator(check_instant, "TIME"));
    import->add_option("--from", arguments_.folders, "The folder as it was then (on a cluster: a claim)")->required();
    source_option(import);
    wait_options(import);
    auto* restore = verb(app_, "restore", "Restore a snapshot into a claim", [this] { return restore_one(); });
    restore->add_option("--config", arguments_.config, "The newest of this BackupConfig");
    restore->add_option("--backup", arguments_.backup, "This Backup");
    restore->add_option("--identity", arguments_.identity, "The newest snapshot of this source, taken by any program: USER@HOST:PATH");
    restore->add_option("--snapshot", arguments_.snapshot, "With --identity: the snapshot of this id");
    restore->add_option("--repository", arguments_.repository, "With --identity: NAME or ClusterRepository/NAME; unless there is one only");
    restore->add_option("--as-of", arguments_.as_of, "With --config or --identity: the newest at or before this time")
        ->check(CLI::Validator(check_instant, "TIME"));
    restore->add_option("--offset", arguments_.offset, "With --config or --identity: skip the N newest");
    restore->add_option("--path", arguments_.path, "Only this file or folder of the snapshot, at its own path");
    restore->add_option("--to", arguments_.claim, "PersistentVolumeClaim; it is made unless --existing");
    restore->add_flag("--dry-run", arguments_.dry_run, "Report what would be written, and write nothing");
    restore->add_flag("--require-ownership", arguments_.require_ownership, "Fail if an owner, group or mode cannot be restored");
    restore->add_flag("--existing", arguments_.existing, "The claim exists already");
    restore->add_option("--capacity", arguments_.capacity, "Of the claim that is made, such as 10Gi");
    restore->add_option("--name", arguments_.restore_name, "Name of the Restore");
    source_option(restore);
    wait_options(restore);
    auto* list = verb(app_, "ls", "List a folder of a snapshot",
                      [this] { return list_command(arguments_.settings, arguments_.backup, arguments_.file); });
    list->add_option("backup", arguments_.backup, named<proto::backup>())->required();
    list->add_option("path", arguments_.file, "Path below the snapshot's root");
    auto* print = verb(app_, "cat", "Print a file of a snapshot",
                       [this] { return print_file_command(arguments_.settings, arguments_.backup, arguments_.file); });
    print->add_option("backup", arguments_.backup, named<proto::backup>())->required();
    print->add_option("path", arguments_.file, "Path below the snapshot's root")->required();
    auto* logs = verb(app_, "logs", "What the mover of a run wrote",
                      [this] { return logs_command(arguments_.settings, arguments_.kind, arguments_.name, arguments_.follow); });
    kind_argument(logs);
    logs->add_option("name", arguments_.name, "Name")->required();
    logs->add_flag("-f,--follow", arguments_.follow, "Follow it until it ends");
  }

  void insight() {
    verb(app_, "status", "Show health; overdue schedules in red", [this] { return status_command(arguments_.settings); });
    auto* next = verb(app_, "next", "What runs when", [this] { return next_command(arguments_.settings, arguments_.most); });
    next->add_option("--most", arguments_.most, "How many")->capture_default_str();
    auto* explain = app_.add_subcommand("explain", "Say why")->require_subcommand(1)->fallthrough();
    auto* retention = verb(*explain, "retention", "What retention would delete now, and why; deletes nothing",
                           [this] { return explain_command(arguments_.settings, arguments_.config, arguments_.file); });
    retention->add_option("config", arguments_.config, named<proto::backup_config>())->required();
    retention->add_option("-f,--file", arguments_.file, "With the rules of this manifest instead");
    verb(app_, "doctor", "Check everything that kopiur needs", [this] { return doctor_command(arguments_.settings); });
  }

  void etcd() {
    auto* etcd = app_.add_subcommand("etcd", "Snapshots of etcd")->require_subcommand(1)->fallthrough();
    auto& what = arguments_.snapshot_check;
    auto* verify = verb(*etcd, "verify", "Download a snapshot and check that it is good; kopiur need not run",
                        [this] { return etcd_verify_command(arguments_.settings, arguments_.snapshot_check); });
    verify->add_option("url", what.url, "status.snapshotURL of a backup: s3://BUCKET/KEY or https://...")->required();
    verify->add_option("--credentials-file", what.credentials_file, "Of AWS or Azure; without it: those of the environment");
    verify->add_option("--region", what.region, "Region of the bucket (AWS_REGION)");
    verify->add_option("--endpoint", what.endpoint, "URL of the store; without it: that of AWS or Azure");
    verify->add_option("--ca-file", what.ca_file, "Authorities of the store besides the system's, PEM");
    verify->add_option("--save", what.save_as, "Keep the snapshot in this new file");
    verify->add_option("--etcdutl", what.etcdutl, "Path of etcdutl; without it: from PATH");
  }

  void bus() {
    auto* bus = app_.add_subcommand("bus", "The message bus")->require_subcommand(1)->fallthrough();
    auto* apply = verb(*bus, "apply", "Make or update streams and consumers",
                       [this] { return bus_apply_command(arguments_.settings, arguments_.replicas, bytes(arguments_.store)); });
    apply->add_option("--replicas", arguments_.replicas, "Servers that hold each stream")->capture_default_str();
    apply->add_option("--store", arguments_.store, "Bytes that each server has for all streams, such as 10Gi; each stream gets a share")
        ->capture_default_str()
        ->check(check_bytes);
    auto* letters = verb(*bus, "dlq", "Messages that no handler could process",
                         [this] { return bus_dlq_command(arguments_.settings, arguments_.show, arguments_.retry, arguments_.drop); });
    letters->add_option("--show", arguments_.show, "Show one, by its sequence");
    letters->add_option("--retry", arguments_.retry, "Send a request again, by its sequence");
    letters->add_option("--drop", arguments_.drop, "Forget one");
  }

  void completion() {
    auto* made = verb(app_, "completion", "A script for your shell: source <(kopiur completion bash)", [this] {
      std::fputs(completion_script(arguments_.shell, shapes(app_, ""))->c_str(), stdout);
      return static_cast<int>(done);
    });
    made->add_option("shell", arguments_.shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  }

  int import_all() {
    if (arguments_.times.size() != arguments_.folders.size()) {
      std::fprintf(stderr, "kopiur: Give one --from for each --at: there are %zu and %zu.\n", arguments_.folders.size(),
                   arguments_.times.size());
      return usage;
    }
    std::vector<import_order> orders;
    for (std::size_t i = 0; i < arguments_.times.size(); ++i) {
      std::error_code unknown;
      bool folder = std::filesystem::is_directory(arguments_.folders[i], unknown);
      auto from = folder ? std::filesystem::absolute(arguments_.folders[i]).lexically_normal().string() : arguments_.folders[i];
      orders.push_back({.ns = arguments_.settings.ns,
                        .config = arguments_.config,
                        .time = *instant_from(arguments_.times[i]),
                        .from = from,
                        .source_path = optional(arguments_.source_path)});
    }
    return import_command(arguments_.settings, orders, arguments_.wait);
  }

  int restore_one() {
    auto what = arguments_.claim.empty() ? std::string("plan") : arguments_.claim.substr(0, 40);
    restore_order order{
        .ns = arguments_.settings.ns,
        .name = arguments_.restore_name.empty() ? "restore-" + what + "-" + unique_text().substr(0, 6) : arguments_.restore_name,
        .config = optional(arguments_.config),
        .backup = optional(arguments_.backup),
        .identity = optional(arguments_.identity),
        .source_path = optional(arguments_.source_path),
        .snapshot = optional(arguments_.snapshot),
        .offset = arguments_.offset,
        .claim = arguments_.claim,
        .existing = arguments_.existing,
        .capacity = optional(arguments_.capacity),
        .path = optional(arguments_.path),
        .dry_run = arguments_.dry_run,
        .require_ownership = arguments_.require_ownership};
    if (!arguments_.as_of.empty()) order.as_of = instant_from(arguments_.as_of);
    if (!arguments_.repository.empty()) order.repository = repository_named(arguments_.repository);
    return restore_command(arguments_.settings, order, arguments_.wait || arguments_.dry_run);
  }

  std::vector<verb_shape> shapes(CLI::App const& app, std::string const& before) const {
    std::vector<verb_shape> found;
    for (auto* each : app.get_subcommands([](CLI::App const*) { return true; })) {
      auto words = before + each->get_name();
      auto inner = shapes(*each, words + " ");
      found.insert(found.end(), inner.begin(), inner.end());
      if (!inner.empty()) continue;
      verb_shape shape{.words = words, .options = {}, .kinds = {}};
      if (auto kinds = kinds_.find(each); kinds != kinds_.end()) shape.kinds = kinds->second;
      for (auto* option : each->get_options())
        for (auto& name : option->get_lnames()) shape.options.push_back("--" + name);
      found.push_back(std::move(shape));
    }
    return found;
  }

  CLI::App& app_;
  arguments& arguments_;
  int& code_;
  std::map<CLI::App const*, std::vector<std::string>> kinds_;  ///< that each verb accepts
};

}  // namespace

int run(int argc, char** argv) {
  arguments arguments;
  arguments.settings.data = default_data(), arguments.settings.bus = from_environment("KOPIUR_BUS", ""),
  arguments.settings.credentials = from_environment("KOPIUR_CREDENTIALS", "");
  arguments.settings.ca_file = from_environment("KOPIUR_NATS_CA_FILE", "");
  arguments.settings.cluster = from_environment("KOPIUR_CLUSTER", "local");
  CLI::App app("kopiur: backups with kopia, on one host or in a cluster", "kopiur");
  app.require_subcommand(1);
  app.footer("Exit codes: 0 done, 1 it failed, 2 the call was wrong, 3 kopiur is not running, 4 not found, 5 timed out while waiting.");
  int code = done;
  builder verbs(app, arguments, code);  // its callbacks run during parsing
  verbs.build();
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& e) {
    return app.exit(e) == 0 ? done : usage;
  }
  return code;
}

}  // namespace kopiur::cli
