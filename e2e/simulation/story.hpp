#pragma once
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "common/testing/bus_net.hpp"
#include "common/testing/shrink.hpp"
#include "e2e/simulation/datacenter.hpp"
#include "e2e/simulation/digest.hpp"
#include "e2e/simulation/tally.hpp"
#include "proto/kopiur/backup.hpp"
#include "proto/kopiur/backup_schedule.hpp"
#include "services/controller/core/decoding.hpp"
#include "services/controller/core/slots.hpp"

namespace kopiur::simulation {

/// The cluster of every story.
inline constexpr char const* cluster = "sim";

/// A bug that is put in on purpose, one for each invariant: by a port that breaks the rule, or by a process beside the services.
enum class planted {
  none,
  trusts_stale_reads,  ///< 1: a live read says "deleted" of everything, and a rogue order names a Backup that lives
  deletes_foreign,     ///< 2: a mover that is told to delete a snapshot takes somebody else's
  doubles_slots,       ///< 3: a slot's Backup is created a second time under another name
  grants_everything,   ///< 4: leases are granted whoever holds them
  submits_twice,       ///< 5: a Job into an existing claim is started again under another name
  restores_any,        ///< 6: the mover takes another snapshot, of another source
  acts_without_bus,    ///< 7: a destructive Job is started while the bus is down
  says_nothing,        ///< 8: shares of status are lost, all of them
  chatters,            ///< 9: a status changes every ten seconds
  leaks_secrets,       ///< 10: a Secret's value in a log tail
  cascades,            ///< 11: Backups go with their schedule
  tears_groups,        ///< 12: a capture is taken again for each Backup
  believes_marks,      ///< 13: what a user writes on a claim under our names is believed, as if it were sealed
  yields_runs,         ///< 3: the run of another namespace's slot becomes that of a Backup which names it
  waits_for_room,      ///< 8: what is too large for the bus is tried again and again, and all else behind it
  lists_ours_alone,    ///< 6: a list lacks what another cluster has saved
  does_dry_runs,       ///< 5: a dry run is done
  renews_lists,        ///< 6: every list is told as if it had begun just now
  misses_shrinking,    ///< 14: a mover does not say that a snapshot shrank
  thaws_early,         ///< 12: an application is let go while its volume is being read
  captures_late,       ///< 12: or before its volumes are captured
  freezes_for_good,    ///< 12: and one is never let go
  starves_schedules,   ///< 3: a slot is skipped for a source that waits for its claim
  waits_for_good,      ///< 8: that a Backup has waited long enough for what is missing is never on record
  forgets_baselines,   ///< 14: a snapshot does not say what it was compared with, and its Backup goes
  contradicts          ///< 15: a Backup that Succeeded is told as Failed
};
inline constexpr planted all_planted[] = {
    planted::trusts_stale_reads, planted::deletes_foreign,   planted::doubles_slots,    planted::grants_everything,
    planted::submits_twice,      planted::restores_any,      planted::acts_without_bus, planted::says_nothing,
    planted::chatters,           planted::leaks_secrets,     planted::cascades,         planted::tears_groups,
    planted::believes_marks,     planted::yields_runs,       planted::waits_for_room,   planted::lists_ours_alone,
    planted::does_dry_runs,      planted::renews_lists,      planted::misses_shrinking, planted::forgets_baselines,
    planted::waits_for_good,     planted::starves_schedules, planted::thaws_early,      planted::captures_late,
    planted::freezes_for_good,   planted::contradicts};

class script;
struct story_options {
  duration length = std::chrono::hours(24);
  int replicas = 3;
  bool with_faults = true;
  planted bug = planted::none;
  /// A scenario instead of the users and troubles of the seed: says who does what, and what goes wrong, when.
  std::function<void(script)> scenario = {};
};

/// What a run came to.
struct summary : tally {
  std::uint64_t steps = 0, hash = 0;
  std::uint64_t digest = 0;  ///< of what was done (digest.hpp)
};

/// One run of the whole product: services in replicas, a simulated cluster and kopia, users, troubles, invariants. Deterministic.
class story {
 public:
  story(testing::world_options world, story_options how);
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
  /// Notes something that was done, for the digest.
  void did(std::initializer_list<std::string_view> what) { done_.add(home_.now(), what); }
  void calm_down();
  void suspend(std::set<std::string_view> const& kinds, bool to = true);
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
  void check_jobs_removed(instant late);
  void check_captures_gone(std::vector<proto::backup> const& all);
  void check_leases(sim_job const& job);
  bool request_came_again();
  void check_creation(json::value const& object);
  void check_removal(proto::delete_object const& command);
  void check_burst(proto::backup const& doomed);
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
  void note_readers(std::string const& of);
  std::vector<std::string> let_go_by(std::string const& run, std::string const& ns) const;
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

  story_options how_;
  controller::shared_decoder decoder_;  // for all replicas; outlives them
  testing::world home_;
  testing::bus_net net_;
  datacenter data_;
  testing::call_faults cluster_faults_;
  testing::dice users_;
  std::map<std::string, std::shared_ptr<testing::process>> alive_;
  std::map<std::string, int> backups_per_slot_;                   // "<schedule uid> <slot> <source>"
  std::map<std::string, controller::schedule_state> slots_;       // what a schedule decided last
  std::map<std::string, std::pair<std::string, instant>> fired_;  // run -> its schedule's uid, and when
  std::map<std::string, std::string> ordered_;                    // run -> the namespace of what it was ordered for
  struct request {
    instant sent;
    std::optional<bool> accepted = {};
    std::string made = {};  ///< the Backup
  };
  std::map<std::string, request> requests_;          // by id
  std::map<std::string, int> restores_per_object_;   // by uid
  std::map<std::string, int> restores_per_name_;     // by namespace/name
  std::set<std::string> completed_;                  // uids of Restores
  std::set<std::string> asked_again_;                // uids of Restores that their user asked for again
  std::set<std::string> doubtful_, copied_;          // Restores whose claim says that they are done; Backups that a user copied
  std::set<std::string> accepted_;                   // sources of which somebody has accepted that they shrank: namespace and path
  std::map<std::string, instant> born_, succeeded_;  // uid -> when, on steady time
  std::map<std::string, instant> last_fired_;        // by uid of a BackupSchedule: the newest slot
  struct group {
    int capture;
    std::set<std::string> read_by;  ///< keys of Backups that are there
  };
  std::map<std::string, group> together_;    // "<namespace>/<group>" -> the capture that its Backups have read
  std::map<std::string, instant> executed_;  // uid -> when its deletion was asked for; not our own pruning
  std::map<std::string, instant> silent_;    // objects that do not say why they wait, and since when
  std::optional<instant> next_look_;
  /// An application that rests.
  struct rest {
    std::string ns;
    instant since{};
    duration rested{0};  // while nothing was down
  };
  std::map<std::string, rest> frozen_;              // by the run whose hooks brought it to rest
  std::map<std::string, std::string> occasion_of_;  // by run: that whose hooks it rests for
  std::map<std::string, std::string> config_of_;    // by run that has a plan
  std::set<std::string> rested_;                    // runs whose hooks brought an application to rest
  std::set<int> taken_live_;                        // captures that were made of an application that did not rest
  std::set<std::string> let_go_early_;              // Jobs, by uid, whose application was let go while they still read
  std::map<std::string, std::string> job_named_;    // the uid of the last one of that name: a lost bus forgets how many there were
  /// What was said of a Backup that was over.
  struct said {
    std::string phase, snapshot;
  };
  std::map<std::string, said> told_;               // by uid
  std::map<std::string, duration> waited_;         // Backups that wait for what is missing: uid -> for how long, while nothing was down
  std::optional<instant> repositories_suspended_;  // by the story itself, at its end
  instant bus_lost_at_{}, bus_down_until_{}, troubled_until_{}, last_cause_{};
  std::size_t faults_seen_ = 0;
  int made_ = 0;
  summary summary_;
  digest done_;
};

}  // namespace kopiur::simulation
