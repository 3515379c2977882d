#pragma once
#include <optional>
#include <string>
#include <vector>

#include "services/cli/core/completion.hpp"
#include "services/cli/core/manifests.hpp"
#include "services/cli/core/rows.hpp"
#include "services/cli/shell/commands.hpp"
#include "services/executor/core/snapshot_place.hpp"

namespace kopiur::cli {

/// The parsed options of all verbs.
struct settings {
  std::string data = "kopiur-data";
  std::string manifests;
  std::string configuration;         ///< of `up`: folder with the configurations of systems
  std::string http = "127.0.0.1:0";  ///< of `up`: address of health and metrics
  std::string bus_store = "20G";     ///< of `up`: bytes that the streams of its bus may take, as a quantity
  std::string bus;                   ///< URL of an external bus (KOPIUR_BUS); empty: the data folder's
  std::string credentials;           ///< a .creds file for it
  std::string ca_file;               ///< trusted authorities of a tls:// bus; empty = the system's
  std::string cluster = "local";
  std::string output = "table";  ///< table, wide, json, yaml
  std::string ns = "default";
  bool all_namespaces = false;
  bool restore_by_request = false;  ///< of `up`: a message on the bus may request restores
  bool verbose = false;
  double timeout = 3600;  ///< of --wait, in seconds

  bool shows_table() const { return output == "table" || output == "wide"; }
  selection select(std::string name = {}) const { return {.ns = ns, .everywhere = all_namespaces, .name = std::move(name)}; }
};

int up_command(settings const& settings);
/// The path of this program.
std::string own_path();

// Objects.
int get_command(settings const& settings, std::string const& kind, std::string const& name, std::string const& field);
int secret_env_command(settings const& settings, std::string const& kind, std::string const& name);
int backups_command(settings const& settings, std::string const& config);
int apply_command(settings const& settings, std::vector<std::string> const& files);
int delete_command(settings const& settings, std::string const& kind, std::vector<std::string> const& names, bool wait);
int cancel_command(settings const& settings, std::string const& kind, std::string const& name);
int accept_command(settings const& settings, std::string const& name);
int suspend_command(settings const& settings, std::string const& kind, std::string const& name, std::string const& reason);
int resume_command(settings const& settings, std::string const& kind, std::string const& name);
int wait_command(settings const& settings, std::string const& kind, std::string const& name, bool deleted);

// Runs.
int backup_now_command(settings const& settings, std::string const& config, std::optional<std::string> const& source_path, bool wait);
int import_command(settings const& settings, std::vector<import_order> const& orders, bool wait);
int restore_command(settings const& settings, restore_order const& order, bool wait);
/// The entries of a folder in a Backup's snapshot, or the bytes of one of its files.
int list_command(settings const& settings, std::string const& backup, std::string const& path);
int print_file_command(settings const& settings, std::string const& backup, std::string const& path);
int logs_command(settings const& settings, std::string const& kind, std::string const& name, bool follow);

// Insight.
int status_command(settings const& settings);
int next_command(settings const& settings, std::size_t most);
int explain_command(settings const& settings, std::string const& config, std::string const& instead_file);
int doctor_command(settings const& settings);

// Snapshots of etcd.
int etcd_verify_command(settings const& settings, executor::snapshot_check const& what);

// The bus.
int bus_apply_command(settings const& settings, int replicas, std::int64_t store);
int bus_dlq_command(settings const& settings, std::uint64_t show, std::uint64_t retry, std::uint64_t drop);

}  // namespace kopiur::cli
