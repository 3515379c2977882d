#pragma once
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "common/testing/bus_net.hpp"
#include "common/testing/shrink.hpp"
#include "e2e/simulation/buckety/bucket_story.hpp"
#include "e2e/simulation/datacenter.hpp"
#include "e2e/simulation/digest.hpp"
#include "e2e/simulation/tally.hpp"
#include "proto/kopiur/backup.hpp"
#include "proto/kopiur/backup_schedule.hpp"
#include "services/controller/core/decoding.hpp"
#include "services/controller/core/slots.hpp"

namespace kopiur::simulation {

/// The name of the cluster in every story.
inline constexpr char const* cluster = "sim";

/// Bugs planted on purpose, at least one for each invariant: by a port that breaks the rule, or by a process that runs next to the
/// services.
enum class planted {
  none,
  trusts_stale_reads,  ///< 1: a live read reports every object as deleted, and a rogue order names a Backup that still exists
  deletes_foreign,     ///< 2: a mover that should delete a snapshot deletes a foreign one
  doubles_slots,       ///< 3: a slot's Backup is created a second time under another name
  grants_everything,   ///< 4: leases are granted regardless of their holders
  submits_twice,       ///< 5: a Job into an existing claim is started again under another name
  restores_any,        ///< 6: the mover restores another snapshot, of another source
  acts_without_bus,    ///< 7: a destructive Job is started while the bus is down
  says_nothing,        ///< 8: all status fragments are lost
  chatters,            ///< 9: a status changes every ten seconds
  leaks_secrets,       ///< 10: a Secret's value in a log tail
  cascades,            ///< 11: Backups go with their schedule
  tears_groups,        ///< 12: each Backup gets its own capture instead of the group's
  believes_marks,      ///< 13: marks that a user writes on a claim under our names are believed without a seal
  yields_runs,         ///< 3: a Backup that names the run of another namespace's slot gets that run
  waits_for_room,      ///< 8: a message too large for the bus is retried without end and blocks all others
  lists_ours_alone,    ///< 6: a list lacks the snapshots of another cluster
  does_dry_runs,       ///< 5: a dry run writes
  renews_lists,        ///< 6: every list is reported as if it had begun just now
  misses_shrinking,    ///< 14: a mover does not report that a snapshot shrank
  thaws_early,         ///< 12: an application is thawed while its volume is being read
  captures_late,       ///< 12: an application is thawed before its volumes are captured
  freezes_for_good,    ///< 12: an application is never thawed
  starves_schedules,   ///< 3: a slot is skipped because of a source that waits for its claim
  waits_for_good,      ///< 8: no record says that a Backup has waited long enough for what is missing
  forgets_baselines,   ///< 14: a snapshot does not record what it was compared with, and its Backup is deleted
  contradicts,         ///< 15: a Succeeded Backup is reported as Failed
  takes_foreign,       ///< B1: a bucket of somebody else is taken for one that the object's call made
  shares_names,        ///< B4: a claim is forgotten before its owner's stamp is written
  overwrites_secrets   ///< B3: a Secret of a user gets the credentials
};
inline constexpr planted all_planted[] = {
    planted::trusts_stale_reads, planted::deletes_foreign,   planted::doubles_slots,    planted::grants_everything,
    planted::submits_twice,      planted::restores_any,      planted::acts_without_bus, planted::says_nothing,
    planted::chatters,           planted::leaks_secrets,     planted::cascades,         planted::tears_groups,
    planted::believes_marks,     planted::yields_runs,       planted::waits_for_room,   planted::lists_ours_alone,
    planted::does_dry_runs,      planted::renews_lists,      planted::misses_shrinking, planted::forgets_baselines,
    planted::waits_for_good,     planted::starves_schedules, planted::thaws_early,      planted::captures_late,
    planted::freezes_for_good,   planted::contradicts,       planted::takes_foreign,    planted::shares_names,
    planted::overwrites_secrets};
/// Whether only a story about Buckety can show it.
constexpr bool is_of_buckets(planted bug) { return bug >= planted::takes_foreign; }

class script;
struct story_options {
  duration length = std::chrono::hours(24);
  int replicas = 3;
  bool with_faults = true;
  planted bug = planted::none;
  /// About Buckety instead of backups: the provisioner is the only service besides the gateway.
  bool buckets = false;
  /// A scenario that replaces the seed's users and troubles: it says what users do and what fails, and when.
  std::function<void(script)> scenario = {};
};

/// The result of a run.
struct summary : tally {
  std::uint64_t steps = 0, hash = 0;
  std::uint64_t digest = 0;  ///< of all acts (digest.hpp)
};

/// One run of the whole product: services in replicas, a simulated cluster and kopia, users, troubles, invariants. Deterministic.
class story {
 public:
  story(testing::world_options world, story_options options);
  /// Runs to the end, or to the first violation.
  std::optional<testing::violation> run();
  summary const& told() const { return summary_; }

 private:
  friend class script;
  void plan_everything();
  void launch(std::string const& name);
  void make_bus();
  void make_objects();
  void watch();
  void watch_buckets();
  /// Adds an act to the digest.
  void did(std::initializer_list<std::string_view> what) { done_.add(home_.now(), what); }
  void calm_down();
  void restart_services();
  void suspend(std::set<std::string_view> const& kinds, bool value = true);
  void plant();
  void restore_what_others_saved();

  // users.cpp
  void plan_users();
  void user_acts();
  bool user_backs_up(std::string const& ns);
  bool user_requests(std::string const& ns);
  bool user_restores(std::string const& ns);
  bool user_restores_or_empties(std::string const& ns);
  void fill_repositories();
  bool user_plans(std::string const& ns);
  bool user_carries_out(std::string const& ns);
  bool user_brings_history(std::string const& ns);
  bool user_brings_a_snapshot(std::string const& ns);
  bool user_deletes(std::string const& ns);
  bool user_deletes_a_restore(std::string const& ns);
  bool user_deletes_a_schedule(std::string const& ns);
  bool user_deletes_a_config(std::string const& ns);
  bool user_deletes_a_namespace(std::string const& ns);
  void user_makes_a_namespace(std::string const& ns);
  bool remove_for_a_while(std::string_view kind, std::string const& ns);
  bool user_deletes_many(std::string const& ns);
  bool user_pins(std::string const& ns);
  bool user_edits_retention(std::string const& ns);
  bool user_bounds_the_catalog(std::string const& ns);
  bool user_edits_a_schedule(std::string const& ns);
  bool user_suspends(std::string const& ns);
  bool user_names_a_missing_claim(std::string const& ns);
  bool user_cancels(std::string const& ns);
  json::value const* pick(std::string_view kind, std::function<bool(json::value const&)> fits);
  void annotate(json::value const& one, std::string_view what, std::string value);
  bool edit(json::value const* one, std::function<void(json::value& spec)> change);
  bool remove(json::value const* one);
  std::string some_source();
  std::string fresh_name();

  // attackers.cpp
  bool user_forges_a_backup(std::string const& ns);
  bool user_copies_a_backup(std::string const& ns);
  bool user_forges_a_filling(std::string const& ns);
  bool user_forges_a_claim(std::string const& ns);
  void give_run(json::value const& object, std::string const& run);
  bool user_writes_too_much(std::string const& ns);
  bool user_deletes_a_job(std::string const& ns);
  bool user_deletes_a_secret(std::string const& ns);
  json::value const* object_at(std::string_view kind, std::string_view ns, std::string_view name) const;
  std::string next_run_of(std::string const& ns);
  void forge(json::value const& claim, std::map<std::string, std::string> marks);
  void ask_again(std::string const& ns, std::string const& restore);

  // shrinking.cpp
  bool user_empties_a_volume(std::string const& ns);
  bool user_accepts(std::string const& ns);
  bool has_shrunk(std::string const& ns, std::string const& id);
  void check_saved(json::value const& object);
  void check_displaced(proto::backup const& gone);

  // troubles.cpp
  void plan_troubles();
  void plan_crashes();
  void plan_outages();
  void take_bus_down();
  void lose_bus();
  void plan(double an_hour, char const* name, std::function<testing::world::event(testing::dice&)> what);
  std::string victim(std::uint64_t which) const;

  // invariants.cpp
  bool went_with_namespace(proto::backup const& one) const;
  void check_deletion(sim_job const& job, repository const& where, std::string const& id);
  bool was_there(snapshot const& one, std::string const& restore);
  void check_restore(sim_job const& job, snapshot const& from, std::string const& target);
  void check_completed(json::value const& object);
  void check_forbid(proto::backup_schedule const& schedule, controller::fired const& fired);
  void check_together(std::string const& key, json::value const& object);
  void check_grants_gone();
  void check_jobs_removed(instant late);
  void check_captures_gone(std::vector<proto::backup> const& all);
  void check_leases(sim_job const& job);
  bool request_came_again();
  void check_creation(json::value const& object);
  void check_removal(proto::delete_object const& command);
  void check_burst(proto::backup const& doomed);
  void check_control_plane(sim_job const& job);
  void check_start(sim_job const& job);
  void check_message(testing::memory_stream const& in, bus::stored const& message);
  void check_slots(bus::stored const& message);
  void note_order(bus::stored const& message);
  void check_answer(bus::stored const& message);
  std::string words_of(std::string const& key) const;
  bool has_mover(std::string_view uid) const;
  bool is_held_by_mover(std::string_view key) const;
  bool is_held(proto::backup const& object) const;
  bool waits_for_application(std::vector<proto::backup> const& all, proto::backup const& object) const;
  bool waits_for_sibling(std::vector<proto::backup> const& all, proto::object_meta const& parent) const;
  void check_backups_ended(std::vector<proto::backup> const& all, instant late);
  void check_restores_ended(instant late);
  void check_slots_ordered();
  void check_requests_answered(instant late);
  void check_snapshots_named(std::vector<proto::backup> const& all, instant late);
  void check_end();

  // waits.cpp
  void object_stored(std::string const& key, json::value const& object);
  void object_gone(std::string const& key);
  void look_at_silent(instant when);
  void check_silent();
  void watch_waits();
  void check_skipped(controller::skipped const& slot);
  void hook_called(std::string const& run, std::string const& ns, bool freezes);
  void captured(std::string const& ns, int capture);
  void note_hooks(bus::stored const& fact);
  void note_readers(std::string const& run);
  std::vector<std::string> released_by(std::string const& run, std::string const& ns) const;
  std::string hooks_of(std::string const& run) const;
  void check_told(std::string const& key, json::value const& object);
  void check_rest(std::string const& key, json::value const& object);
  void watch_rests();
  bool mover_works() const;
  bool request_waits() const;
  void check_quiet(std::string const& what);
  void happened();
  void clock_goes_back(duration by);
  void trouble_until(duration length);
  instant troubled_until();

  void violate(std::string rule, std::string text) { home_.violate(std::move(rule), std::move(text)); }

  story_options options_;
  controller::shared_decoder decoder_;  // shared by all replicas; must outlive them
  testing::world home_;
  testing::bus_net net_;
  datacenter data_;
  testing::call_faults cluster_faults_;
  testing::dice users_;
  std::unique_ptr<bucket_story> buckets_;  // when the story is about Buckety
  std::map<std::string, std::shared_ptr<testing::process>> alive_;
  std::map<std::string, int> backups_per_slot_;                   // "<schedule uid> <slot> <source>"
  std::map<std::string, controller::schedule_state> slots_;       // by uid: the schedule's last state
  std::map<std::string, std::pair<std::string, instant>> fired_;  // run -> uid of its schedule, and when it fired
  std::map<std::string, std::string> ordered_;                    // run -> namespace of the object that it was ordered for
  struct request {
    instant sent;
    std::optional<bool> accepted = {};
    std::string made = {};  ///< name of the Backup
  };
  std::map<std::string, request> requests_;          // by id
  std::map<std::string, int> restores_per_object_;   // by uid
  std::map<std::string, int> restores_per_name_;     // by namespace/name
  std::set<std::string> completed_;                  // uids of Restores
  std::set<std::string> asked_again_;                // uids of Restores that their user requested a second time
  std::set<std::string> doubtful_, copied_;          // Restores whose claim bears a forged mark of completion; Backups that a user copied
  std::set<std::string> accepted_;                   // sources whose shrinking a user has accepted: namespace and path
  std::map<std::string, instant> born_, succeeded_;  // uid -> when, on the steady clock
  std::map<std::string, instant> last_fired_;        // uid of a BackupSchedule -> its newest slot
  struct group {
    int capture;
    std::set<std::string> read_by;  ///< keys of existing Backups
  };
  std::map<std::string, group> together_;    // "<namespace>/<group>" -> the capture that its Backups have read
  std::map<std::string, instant> executed_;  // "<namespace>/<uid>" -> time of the deletion request; without our own pruning
  std::map<std::string, instant> silent_;    // objects that do not state why they wait -> since when
  std::optional<instant> next_look_;
  /// A quiesced application.
  struct rest {
    std::string ns;
    instant since{};
    duration rested{0};  // without the time of outages
  };
  std::map<std::string, rest> frozen_;              // by the run whose hooks quiesced it
  std::map<std::string, std::string> occasion_of_;  // run -> the run whose hooks quiesce for it (its occasion)
  std::map<std::string, std::string> config_of_;    // run that has a plan -> its BackupConfig
  std::set<std::string> rested_;                    // runs whose hooks quiesced an application
  std::set<int> taken_live_;                        // captures of an application that was not quiesced
  std::set<std::string> released_early_;            // uids of Jobs whose application was thawed while they still read
  std::map<std::string, std::string> job_named_;    // name -> uid of the last Job of that name: a lost bus forgets earlier attempts
  /// The status of a Backup that was over.
  struct said {
    std::string phase, snapshot;
  };
  std::map<std::string, said> told_;               // by uid
  std::map<std::string, duration> waited_;         // uid of a Backup -> how long it has waited for what is missing, outages excluded
  std::optional<instant> repositories_suspended_;  // when the story itself suspended them, at its end
  instant bus_lost_at_{}, bus_down_until_{}, troubled_until_{}, last_cause_{};
  std::size_t faults_seen_ = 0;
  int made_ = 0;
  summary summary_;
  digest done_;
};

}  // namespace kopiur::simulation
