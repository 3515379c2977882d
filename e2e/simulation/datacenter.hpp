#pragma once
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "common/testing/call.hpp"
#include "common/testing/world.hpp"
#include "e2e/simulation/openbao/bao.hpp"
#include "proto/events/command.hpp"
#include "services/gateway/core/jobs.hpp"
#include "services/gateway/shell/cluster.hpp"

/// The world outside the services: a cluster's objects, its Jobs, volumes, and the repositories that movers write. It survives every crash.
/// Invariants read it, never a service's memory.
namespace kopiur::simulation {

/// One snapshot as kopia would store it.
struct snapshot {
  proto::snapshot_row row;
  std::string content;   ///< the volume's content
  bool foreign = false;  ///< written by another cluster or user: our services may not delete it
  int capture = 0;       ///< number of the group capture it was read from; 0: its volume was captured alone
  instant since{};       ///< when it was saved, on the steady clock
};
struct repository {
  std::string unique_ID;
  bool exists = false, reachable = true;
  std::map<std::string, snapshot> snapshots;
};
struct volume {
  std::string content;  ///< `<claim>@<version>`
  std::int64_t version = 0;
  std::int64_t files = 100;  ///< ten bytes each; 0: the volume is not mounted
};

/// What can go wrong with a mover; probabilities per attempt.
struct mover_faults {
  double dies_before = 0, dies_after = 0, hangs = 0, loses_result = 0, fails = 0;
};

/// Errors that an API server returns instead of doing the call normally; probabilities per call. testing::call_faults covers faults of the
/// connection.
struct api_faults {
  double throttled = 0;  ///< 429; nothing was done
  double unsure = 0;     ///< a 500, although the write was done
  double raced = 0;      ///< another client writes the object just before: 409 for a caller that read an older version
};

/// One Job, from its creation to its removal.
struct sim_job {
  proto::create_job order;
  proto::job seen;
  bool asked_to_stop = false, acted = false;
  int capture = 0;  ///< number of the capture it reads
  bool over() const { return seen.status.pods_gone; }
};

/// Whether the Job works on an OpenBao cluster.
bool is_of_openbao(sim_job const& job);

/// `kind/namespace/name`: the key of an object in datacenter::objects().
std::string key_text(std::string_view kind, std::string_view ns, std::string_view name);
std::string key_text(json::value const& object);
std::string key_text(proto::object_ref const& ref);

class datacenter {
 public:
  datacenter(testing::world& home, std::string cluster);
  datacenter(datacenter const&) = delete;

  testing::world& home() { return home_; }
  mover_faults faults;
  std::function<void(std::string const& run, std::string const& ns, bool freezes)> on_hook;
  /// Called when claims of the namespace are captured together; `capture` is the number of the capture.
  std::function<void(std::string const& ns, int capture)> on_capture;
  api_faults api;

  // The cluster's API, synchronous; sim_cluster wraps each call with latency and faults.
  gateway::outcome<json::value> read(proto::object_ref const& object) const;
  gateway::outcome<json::value> create(json::value manifest);
  gateway::outcome<json::value> apply(json::value manifest);
  gateway::outcome<json::value> patch(proto::patch_metadata const& patch);
  gateway::outcome<json::value> remove(proto::delete_object const& command);
  gateway::outcome<json::value> write_status(json::value const& read, json::value status);
  gateway::outcome<json::value> mint(gateway::minted_secret const& wanted);
  gateway::outcome<json::value> drop(proto::drop_secret const& command);
  gateway::outcome<std::string> create_job(proto::create_job const& order);
  gateway::outcome<bool> capture_volumes(proto::capture_volumes const& command);
  /// Returns true once no pod of the Job runs. Later creates of it are refused.
  bool end_job(std::string const& name);
  /// The same, requested by a user: later creates are not refused.
  bool stop_job(std::string const& name);
  /// Deletes the Job's record at once, together with its result.
  void kill_job(std::string const& name);
  /// True once the capture and its marks on claims are gone.
  gateway::outcome<bool> delete_capture(proto::delete_capture const& command);
  /// Called by a user. False when the namespace does not exist or is already being deleted.
  bool delete_namespace(std::string const& ns);

  /// A watch: every object first, then every change.
  struct reader {
    testing::process& who;
    std::deque<gateway::cluster_change> coming;  ///< in transit, in order
    std::deque<gateway::cluster_change> arrived;
    std::map<std::string, json::value> known;                    ///< the objects of the arrived changes
    std::deque<std::string> walk;                                ///< the objects that existed when it began, until their turn
    std::function<std::vector<gateway::cluster_change>()> rest;  ///< what follows them, once
    std::deque<testing::wait_id> waiting;
    void put(gateway::cluster_change change);
    /// As gateway::change_hub: what arrived comes before the rest of the walk. True when there is something to take.
    bool walk_on();
  };
  std::shared_ptr<reader> follow(testing::process& who);

  std::map<std::string, json::value> const& objects() const { return objects_; }
  /// All Backups that can be decoded.
  std::vector<proto::backup> backups() const;
  std::map<std::string, sim_job> const& jobs() const { return jobs_; }
  repository& repository_at(std::string const& path) { return repositories_[path]; }
  std::map<std::string, repository>& repositories() { return repositories_; }
  volume& volume_of(std::string const& ns, std::string const& claim) { return volumes_[ns + "/" + claim]; }
  std::map<std::string, std::string> notes;
  /// What pods were granted and is not revoked yet: `Kind/namespace/name`.
  std::set<std::string> grants;
  bao_world bao;
  bool keeps_grants = false;    ///< planted: they are never revoked
  bool second_uploads = false;  ///< planted: a Job that uploads a snapshot of etcd is started again under another name
  /// A foreign kind is installed from now on.
  void install_kind(std::string kind);
  /// Ends a Job as the gateway does; false: ask again.
  bool remove_job(proto::delete_job const& command);
  gateway::seals const marks{"of this installation"};
  /// The Lease that names the active gateway. As by an API server, a write is refused if the Lease changed since it was read.
  struct turn {
    std::string holder;
    std::uint64_t version = 0;
  };
  turn const& whose_turn() const { return turn_; }
  bool write_turn(std::string who, std::uint64_t read);
  /// Another client writes the whole object.
  void replace(json::value object);
  /// Another client annotates the object.
  void touch(std::string const& key);
  /// All watches expire (410): each reader gets a full list again, with only the last of the changes in between.
  void expire_watches();
  std::map<std::string, std::uint64_t> counts;  ///< of everything that happened, by name
  std::uint64_t writes = 0;                     ///< of objects

  /// Until then the API answers no call and sends no watch event; running Jobs continue.
  instant away_until{};
  /// Until `throttled_until` every call gets 429. Watch events arrive only after `stale_until`.
  instant throttled_until{}, stale_until{};
  /// Called for each object that was written, and for each that was removed.
  std::function<void(std::string const& key, json::value const&)> on_stored;
  std::function<void(std::string const& key)> on_gone;
  /// Called before each deletion of a snapshot, and at each restore.
  std::function<void(sim_job const&, repository const&, std::string const& id)> on_delete;
  std::function<void(sim_job const&, snapshot const&, std::string const& target)> on_restore;
  std::function<void(sim_job const&)> on_act;
  std::function<void(json::value const&)> on_create;
  std::function<void()> on_capture_deleted;
  /// Called when a service (not a user) requests a deletion, and when a Job starts.
  std::function<void(proto::delete_object const&)> on_removal_by_service;
  std::function<void(sim_job const&)> on_start;
  /// Returns the snapshot a mover uses for this id: a planted bug may return another one.
  std::function<std::string(repository const&, std::string const& id)> choose_snapshot;
  /// The same for a snapshot to delete.
  std::function<std::string(repository const&, std::string const& id)> choose_doomed;
  /// Planted bugs in the cluster.
  bool stale_reads = false, second_backups = false, second_restores = false, secret_in_log = false, torn_captures = false,
       ours_alone = false, dry_runs_write = false, blind_to_shrinking = false, without_baselines = false, thaws_early = false,
       captures_late = false, overwrites_secrets = false;

 private:
  void store(std::string const& key, json::value object);
  void drop(std::string const& key);
  /// The object as readers get it.
  json::value as_shown(json::value object) const;
  std::optional<gateway::refusal> closed(std::string const& ns) const;
  void empty(std::string const& ns);
  gateway::outcome<int> take(std::string const& ns, proto::capture const& together);
  gateway::outcome<int> capture_for(std::string const& ns, std::vector<proto::volume_use> const& volumes);
  void mark(std::string const& ns, std::string const& claim, std::string const& label, std::optional<std::string> text);
  void tell(gateway::cluster_change const& change);
  void start_job(std::string const& name);
  void act(std::string const& name);
  void finish(std::string const& name, proto::job_phase phase, std::optional<proto::job_result> result, std::string reason = {},
              std::string message = {});
  void show(sim_job const& job);
  proto::kopia_result perform(sim_job& job);
  void act_on_bao(std::string const& name);
  void submit_to_bao(std::string const& name, std::string const& uid);
  void end_bao(std::string const& name, int exit_status, std::string text);
  void check_lock(json::value const& before, json::value const& after);
  void check_completed(json::value const& object);
  gateway::job_end end_of_containers(proto::pod_plan const& plan);
  proto::kopia_result list(sim_job& job, repository& where);
  void save(sim_job const& job, proto::snapshot_work const& task, repository& where, proto::kopia_result& done);

  testing::world& home_;
  std::string cluster_;
  testing::site& mover_site_;
  testing::dice luck_;
  std::int64_t version_ = 0, made_ = 0;
  std::map<std::string, json::value> objects_;  // "kind/ns/name"
  std::map<std::string, sim_job> jobs_;         // "<run>-<attempt>"
  std::set<std::string> ended_jobs_;
  std::set<std::string> installed_;      // foreign kinds
  std::map<std::string, int> captures_;  // "ns/name" -> number of the capture
  int captured_ = 0;
  std::map<std::string, repository> repositories_;  // by path
  std::map<std::string, volume> volumes_;
  std::vector<std::weak_ptr<reader>> readers_;
  turn turn_;
};

/// The gateway's port to the cluster, for one process.
class sim_cluster final : public gateway::cluster {
 public:
  sim_cluster(testing::process& who, datacenter& datacenter, testing::call_faults const& faults);

  /// Returns once this gateway is active; keep_turn() throws once it is not. Same rules as kubernetes::leader.
  gateway::awaitable<void> take_turn(clock& time);
  gateway::awaitable<void> keep_turn(clock& time);
  gateway::awaitable<void> run() override;
  std::unique_ptr<gateway::cluster_feed> follow() override;
  gateway::awaitable<gateway::outcome<json::value>> read(proto::object_ref object) override;
  std::optional<json::value> known(gateway::object_key const& key) const override;
  gateway::awaitable<gateway::outcome<json::value>> create(json::value manifest) override;
  gateway::awaitable<gateway::outcome<json::value>> apply(json::value manifest) override;
  gateway::awaitable<gateway::outcome<json::value>> patch(proto::patch_metadata patch) override;
  gateway::awaitable<gateway::outcome<json::value>> remove(proto::delete_object command) override;
  gateway::awaitable<gateway::outcome<json::value>> write_status(json::value read, json::value status) override;
  gateway::awaitable<gateway::outcome<std::string>> create_job(proto::create_job job) override;
  gateway::awaitable<gateway::outcome<void>> delete_job(proto::delete_job job) override;
  gateway::awaitable<gateway::outcome<void>> capture_volumes(proto::capture_volumes command) override;
  gateway::awaitable<gateway::outcome<void>> delete_capture(proto::delete_capture command) override;
  gateway::awaitable<gateway::outcome<json::value>> mint(gateway::minted_secret wanted) override;
  gateway::awaitable<gateway::outcome<json::value>> drop(proto::drop_secret command) override;
  gateway::awaitable<gateway::outcome<std::string>> secret(std::string ns, std::string name, std::string key) override;
  gateway::hook_policy const* http_policy() const override { return nullptr; }
  gateway::awaitable<gateway::outcome<json::array>> endpoint_slices(std::string ns, std::string service) override;
  gateway::awaitable<gateway::outcome<void>> exec(proto::exec_in_pod command) override;
  gateway::awaitable<gateway::outcome<void>> run_job(proto::run_user_job job) override;
  gateway::awaitable<gateway::outcome<void>> record_event(proto::record_event event) override;
  gateway::awaitable<std::optional<std::string>> note(std::string name) override;
  gateway::awaitable<void> keep_note(std::string name, std::string text) override;
  gateway::seals const& marks() const override { return datacenter_.marks; }

 private:
  template <class T>
  gateway::awaitable<T> ask(char const* verb, std::function<T(datacenter&)> effect, bool routine = false, std::string about = {});
  /// The same, with the errors of api_faults.
  template <class T>
  gateway::awaitable<gateway::outcome<T>> ask_api(char const* verb, std::function<gateway::outcome<T>(datacenter&)> effect,
                                                  std::string written = {});
  gateway::awaitable<gateway::outcome<void>> hook(std::int64_t timeout_seconds);
  gateway::awaitable<void> renew_turn(clock& time);
  gateway::awaitable<datacenter::turn> read_turn();
  gateway::awaitable<bool> write_turn(std::uint64_t read);

  testing::process& who_;
  datacenter& datacenter_;
  testing::call_faults const& faults_;
  testing::site &place_, &answers_;
  std::string identity_;  ///< unique to this process
  std::weak_ptr<datacenter::reader> told_;
};

}  // namespace kopiur::simulation
