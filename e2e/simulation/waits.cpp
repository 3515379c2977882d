#include <algorithm>

#include "e2e/simulation/objects.hpp"
#include "e2e/simulation/story.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/core/names.hpp"

/// Invariants 8 and 9, checked all the time: an object that waits states why within a second, and a system without due work writes nothing.
/// Both hold while all services and ports are up. An outage includes its echo (retries and redeliveries).
namespace kopiur::simulation {

using namespace proto;
using namespace std::chrono_literals;

namespace {

constexpr duration at_once = 1s;          // invariant 8
constexpr duration quiet = 60s;           // invariant 9
constexpr duration looked_again = 10min;  // interval of checks that depend on the time alone
constexpr duration tried_again = 15min;   // a request that cannot be done yet: its redeliveries back off
constexpr duration echo = 35s;            // lateness, the longest wait for an answer, and one redelivery

/// True if the object has ended, or one of its conditions states why it has not.
bool says_why(json::value const& object) {
  static constexpr std::string_view kinds[] = {"Backup", "Restore", "Repository", "BackupConfig", "BackupSchedule"};
  static constexpr std::string_view ends[] = {"Succeeded", "Failed", "Held", "Discovered", "Completed", "Ready"};
  if (std::ranges::find(kinds, object.text("kind")) == std::end(kinds)) return true;
  bool deleted = !object.text("metadata.deletionTimestamp").empty();
  auto phase = object.text("status.phase");
  if (!deleted && std::ranges::find(ends, phase) != std::end(ends)) return true;
  if (deleted && object.text("kind") == "Backup" && phase != "Deleting") return false;
  auto* conditions = object.at("status.conditions");
  return conditions && conditions->as_array() && std::ranges::any_of(*conditions->as_array(), [](auto& each) {
           return !each.text("reason").empty() && !each.text("message").empty();
         });
}

}  // namespace

void story::trouble_until(duration length) { troubled_until_ = std::max(troubled_until_, home_.now() + length + echo); }

/// Until when the effects of a fault may last.
instant story::troubled_until() {
  auto& struck = home_.faults().struck();
  for (; faults_seen_ < struck.size(); ++faults_seen_) {
    auto& one = struck[faults_seen_];
    bool elsewhere = one.what.starts_with("mover") || one.what.starts_with("repository");  // not at a port of a service
    if (!elsewhere) troubled_until_ = std::max(troubled_until_, one.time + echo);
  }
  return troubled_until_;
}

void story::object_stored(std::string const& key, json::value const& object) {
  check_quiet(key);
  std::string uid(object.text("metadata.uid"));
  born_.try_emplace(uid, home_.now());
  if (object.text("status.phase") == "Succeeded" && succeeded_.try_emplace(uid, home_.now()).second)
    check_together(key, object), check_saved(object), check_rest(key, object);
  check_completed(object), check_told(key, object);
  if (says_why(object)) {
    silent_.erase(key);
    return;
  }
  if (silent_.try_emplace(key, home_.now()).second) look_at_silent(home_.now() + at_once);
}

/// 15: the reported status of a Backup that is over does not change, unless it is deleted or its shrinking is accepted. A held Backup of
/// several sources fails if one of those is deleted.
void story::check_told(std::string const& key, json::value const& object) {
  if (object.text("kind") != "Backup") return;
  std::string phase(object.text("status.phase")), snapshot(object.text("status.snapshot.kopiaSnapshotID"));
  auto& told = told_[std::string(object.text("metadata.uid"))];
  bool accepted = told.phase == "Held" && (phase == "Succeeded" || (phase == "Failed" && !object.at("spec.sourcePath")));
  if (!told.phase.empty() && phase != told.phase && phase != "Deleting" && !accepted)
    violate("15 a Backup that was " + told.phase + " is " + phase, key);
  if (!told.phase.empty() && snapshot != told.snapshot) violate("15 a Backup that is over has another snapshot", key);
  if (is_over(object)) told = {std::move(phase), std::move(snapshot)};
}

void story::object_gone(std::string const& key) {
  check_quiet(key);
  silent_.erase(key);
  // Seed 20605: a namespace is created again, and the clock goes back to a slot before its deletion.
  for (auto entry = together_.begin(); entry != together_.end();) {
    entry->second.read_by.erase(key);
    entry = entry->second.read_by.empty() ? together_.erase(entry) : std::next(entry);
  }
}

void story::look_at_silent(instant when) {
  if (next_look_ && *next_look_ <= when) return;
  next_look_ = when;
  home_.at(when, [this, when] {
    if (next_look_ != when) return;  // an earlier check has replaced this one
    next_look_.reset();
    check_silent();
  });
}

void story::check_silent() {
  auto up = troubled_until();
  auto next = instant::max();
  for (auto& [key, since] : silent_) {
    auto due = std::max(since, up) + at_once;
    if (due <= home_.now()) return violate("8 an object does not say why it waits", key);
    next = std::min(next, due);
  }
  summary_.add("checked: wait");
  if (!silent_.empty()) look_at_silent(next);
}

namespace {

/// Whether the Backup waits for something that a user must provide.
bool waits_for_users(json::value const& object) {
  static constexpr std::string_view missing[] = {"ClaimMissing", "ClaimNotBound",     "SecretMissing",     "ConfigMissing",
                                                 "NoSources",    "RepositoryMissing", "RepositoryNotReady"};
  bool pending = object.text("kind") == "Backup" && object.text("status.phase") == "Pending";
  auto* ready = pending ? condition_of(object, "Ready") : nullptr;
  return ready && std::ranges::find(missing, ready->text("reason")) != std::end(missing);
}

}  // namespace

/// 3: a source that waits for something missing must not make the schedule skip the slot of sources that are done.
void story::check_skipped(controller::skipped const& slot) {
  if (home_.now() <= troubled_until()) return;  // waits are reported with a delay
  summary_.add("checked: skipped");
  auto of_group = [](json::value const& one) { return gateway::label(one, gateway::ours("group")); };
  bool for_those_alone = std::ranges::all_of(slot.blocked_by, [&](std::string const& run) {
    auto* one = pick("Backup", [&](json::value const& b) { return gateway::label(b, gateway::ours("run")) == run; });
    bool waits = one && waits_for_users(*one);
    return waits && pick("Backup", [&](json::value const& b) { return of_group(b) == of_group(*one) && is_over(b); });
  });
  if (for_those_alone) violate("3 a slot was skipped for a source that waits for what is missing", to_text(slot.slot));
}

/// Once a minute: a wait for something missing ends after a quarter of an hour in which a user could provide it, plus the time to notice
/// that.
void story::watch_waits() {
  constexpr duration look = 1min, most = 20min;
  bool up = troubled_until() < home_.now();
  std::map<std::string, duration> waited;
  for (auto& [key, one] : data_.objects()) {
    if (!waits_for_users(one)) continue;
    std::string uid(one.text("metadata.uid"));
    auto& time = waited[uid] = waited_[uid] + (up ? look : duration::zero());
    if (time > most) violate("8 a wait for what is missing does not end", key);
  }
  waited_ = std::move(waited);
  if (up) watch_rests();
  home_.at(home_.now() + look, [this] { watch_waits(); });
}

void story::note_hooks(bus::stored const& fact) {
  auto prepared = fact.body.find(R"("prepared":{})") != fact.body.npos ? json::parse(fact.body) : std::unexpected(json::problem{});
  if (!prepared) return;
  std::string run(prepared->text("state.run")), occasion(prepared->text("state.plan.occasion"));
  if (!occasion.empty()) occasion_of_.insert_or_assign(run, std::move(occasion));
  bool of_config = prepared->text("state.order.object.kind") == "BackupConfig";
  config_of_.insert_or_assign(std::move(run), prepared->text(of_config ? "state.order.object.name" : "state.plan.resolved.config.name"));
}

/// The run whose hooks quiesce the application for this run: its occasion, or itself.
std::string story::hooks_of(std::string const& run) const {
  auto found = occasion_of_.find(run);
  return found == occasion_of_.end() ? run : found->second;
}

/// The runs whose quiesced applications this run thaws: its own, or, if runs were lost, all of its BackupConfig.
std::vector<std::string> story::released_by(std::string const& run, std::string const& ns) const {
  if (!run.starts_with("unquiesce-")) return {hooks_of(run)};
  std::vector<std::string> all;
  for (auto& [each, one] : frozen_)
    if (one.ns == ns && config_of_.at(each) == config_of_.at(run)) all.push_back(each);
  return all;
}

void story::hook_called(std::string const& run, std::string const& ns, bool freezes) {
  happened();
  if (freezes) return rested_.insert(hooks_of(run)), void(frozen_.insert_or_assign(hooks_of(run), rest{.ns = ns, .since = home_.wall()}));
  for (auto& backup : released_by(run, ns))
    if (frozen_.erase(backup)) note_readers(backup);
}

/// Notes Jobs that still read a volume of the application that was just thawed.
void story::note_readers(std::string const& run) {
  for (auto& [_, job] : data_.jobs()) {
    auto source = std::ranges::find(job.order.volumes, "source", &volume_use::name);
    bool reads = source != job.order.volumes.end() && !source->copy && !job.seen.status.pods_gone;
    if (reads && hooks_of(job.order.run) == run) released_early_.insert(job.seen.uid);
  }
}

void story::captured(std::string const& ns, int capture) {
  if (std::ranges::none_of(frozen_, [&](auto& one) { return one.second.ns == ns; })) taken_live_.insert(capture);
}

/// 12: a snapshot is taken while its application is quiesced.
void story::check_rest(std::string const& key, json::value const& object) {
  std::string ns(object.text("metadata.namespace")), job(object.text("status.job.name")), run = job.substr(0, job.rfind('-'));
  auto* config = object_at("BackupConfig", ns, std::string(object.text("spec.configRef.name")));
  bool has_hooks = config && config->at("spec.hooks");
  if (!has_hooks || run.empty() || object.at("spec.import")) return;
  summary_.add("checked: rest");
  if (!rested_.contains(hooks_of(run))) violate("12 an application was saved that did not rest", key);
  if (released_early_.contains(job_named_[job])) violate("12 an application was let go before it was saved", key);
  auto id = std::string(object.text("status.snapshot.kopiaSnapshotID"));
  for (auto& [_, where] : data_.repositories())
    if (auto saved = where.snapshots.find(id); saved != where.snapshots.end() && taken_live_.contains(saved->second.capture))
      violate("12 an application was captured that did not rest", key);
}

/// 12: no application stays quiesced forever. Every BackupConfig with hooks has a limit (objects.cpp), and hooks take a minute each.
/// Checked once a minute while nothing is down. If a lost bus took the run and a user deleted the BackupConfig, the hooks are lost.
void story::watch_rests() {
  constexpr duration look = 1min, most = 15min;
  std::erase_if(frozen_, [&](auto& one) {
    return one.second.since <= bus_lost_at_ && !object_at("BackupConfig", one.second.ns, config_of_.at(one.first));
  });
  for (auto& [run, one] : frozen_)
    if ((one.rested += look) > most) violate("12 an application is held for good", run);
}

/// A reason to write: an act of a user, a slot, a run, a mover, a new process.
void story::happened() { last_cause_ = std::max(last_cause_, home_.now()); }

/// After a step back, past ends lie in the future until that time has come again. This is a reason to write, noticed at the next check at
/// the latest.
void story::clock_goes_back(duration by) {
  last_cause_ = std::max(last_cause_, home_.now() + by + looked_again);
  for (auto& [_, time] : waited_) time = {};  // they began in the future, so they restart
}

bool story::mover_works() const {
  return std::ranges::any_of(data_.jobs(), [](auto& one) { return !one.second.seen.status.pods_gone; });
}

/// Seed 10471: the API may throttle a request; being accepted two minutes later it is still a reason to write.
bool story::request_waits() const {
  return std::ranges::any_of(requests_, [&](auto& one) { return !one.second.accepted && home_.wall() < one.second.sent + tried_again; });
}

void story::check_quiet(std::string const& what) {
  if (buckets_) return;  // users act once a minute; only the end is quiet
  if (mover_works() || request_waits()) happened();
  if (home_.now() < std::max(last_cause_, troubled_until()) + quiet) return;
  violate("9 something is written without a reason", what);
}

}  // namespace kopiur::simulation
