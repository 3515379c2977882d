#include "e2e/simulation/tally.hpp"

#include <cstdio>

#include "proto/codec.hpp"
#include "proto/subjects.hpp"
#include "services/scheduler/shell/service.hpp"

namespace kopiur::simulation {

using namespace proto;

namespace {

/// Required per hour, on average.
constexpr std::uint64_t runs_an_hour = 20, edits_an_hour = 5, faults_an_hour = 20;

constexpr char const* must_come[] = {"event: run.due.v1",
                                     "event: run.waiting.v1",
                                     "event: run.prepared.v1",
                                     "event: run.hook-ended.v1",
                                     "event: run.committed.v1",
                                     "event: run.created.v1",
                                     "event: run.attempt-failed.v1",
                                     "event: run.cancel-requested.v1",
                                     "event: run.observed.v1",
                                     "event: run.finished.v1",
                                     "event: lease.granted.v1",
                                     "event: lease.queued.v1",
                                     "event: lease.renewed.v1",
                                     "event: lease.released.v1",
                                     "event: schedule.decided.v1",
                                     "event: repository.listed.v1",
                                     "event: status.claimed.v1",
                                     "slot: fired",
                                     "stage: Due",
                                     "stage: Prepared",
                                     "stage: Committed",
                                     "stage: Created",
                                     "stage: TerminalObserved",
                                     "stage: FollowThroughComplete",
                                     "plan: connect",
                                     "plan: discover",
                                     "plan: backup",
                                     "plan: delete",
                                     "plan: restore",
                                     "plan: maintain",
                                     "outcome: Succeeded",
                                     "outcome: Failed",
                                     "order: create-object",
                                     "order: patch-metadata",
                                     "order: delete-object",
                                     "order: read-object",
                                     "order: create-job",
                                     "order: delete-job",
                                     "order: call-http",
                                     "order: exec-in-pod",
                                     "order: run-user-job",
                                     "user: backup",
                                     "user: request",
                                     "user: restore",
                                     "user: restore or empty",
                                     "user: foreign snapshot",
                                     "user: history",
                                     "user: dry run",
                                     "dry runs",
                                     "full repository",
                                     "long list",
                                     "user: forged Backup",
                                     "user: copied Backup",
                                     "user: oversized Backup",
                                     "user: deletes a Job",
                                     "user: deletes a Secret",
                                     "user: forged filling",
                                     "user: forged claim",
                                     "user: empties a volume",
                                     "edit: accept",
                                     "checked: held",
                                     "edit: pin",
                                     "edit: retention",
                                     "edit: catalog",
                                     "edit: schedule",
                                     "edit: cancel",
                                     "edit: delete Backup",
                                     "edit: delete Restore",
                                     "fault: crash",
                                     "fault: leader gap",
                                     "fault: cut off",
                                     "fault: repository away",
                                     "fault: API away",
                                     "fault: stall",
                                     "fault: mover dies before acting",
                                     "fault: mover dies after acting",
                                     "fault: mover fails",
                                     "fault: lost_before",
                                     "fault: lost_after",
                                     "fault: late",
                                     "fault: twice",
                                     "fault: throttled",
                                     "fault: unsure",
                                     "fault: raced",
                                     "fault: API throttles",
                                     "fault: stale watches",
                                     "fault: watches expire",
                                     "fault: blind_conflict",
                                     "fault: settle_lost",
                                     "fault: delivery_late",
                                     "fault: redelivered",
                                     "fault: feed_late",
                                     "gateway took over",
                                     "checked: deletion",
                                     "checked: removal",
                                     "checked: restore",
                                     "checked: completed restore",
                                     "checked: leases",
                                     "checked: accepted request",
                                     "checked: refused request",
                                     "checked: slot",
                                     "checked: slot accounted for",
                                     "checked: forbid",
                                     "checked: wait",
                                     "checked: quiet",
                                     "checked: message"};

/// Rare kinds: required of long runs only.
constexpr std::uint64_t long_run = 1000;  // hours
constexpr char const* must_come_at_last[] = {"event: lease.taken-over.v1",
                                             "slot: missed",
                                             "slot: skipped",
                                             "slot: passed",
                                             "outcome: Unknown",
                                             "edit: release",
                                             "edit: delete BackupSchedule",
                                             "edit: burst of deletions",
                                             "edit: suspend",
                                             "fault: mover hangs",
                                             "edit: delete BackupConfig",
                                             "edit: delete namespace",
                                             "fault: bus down",
                                             "fault: bus lost",
                                             "fault: feed_restarted",
                                             "fault: crash_before",
                                             "fault: crash_after",
                                             "fault: clock step",
                                             "fault: mover's result is lost"};

}  // namespace

void tally::add(tally const& other) {
  for (auto& [what, n] : other.counts_) counts_[what] += n;
}

void tally::message(std::string const& stream, bus::stored const& message, controller::shared_decoder& decoder) {
  if (message.body.empty()) return;
  if (auto type = bus::header(message.head, "ce-type"); !type.empty()) add("event: " + std::string(type));
  if (stream == subjects::runs) run_fact(message, decoder);
  if (stream == subjects::commands && subjects::part(message.subject, 2) == "cmd")
    add("order: " + std::string(subjects::part(message.subject, 5)));
  if (stream == subjects::states && subjects::part(message.subject, 2) == "schedule") schedule_fact(message, decoder);
}

void tally::run_fact(bus::stored const& message, controller::shared_decoder& decoder) {
  auto fact = decoder.read<proto::run_fact>(message.body);
  if (!fact) return;
  add("stage: " + std::string(json::to_text(fact->state.stage)));
  if (std::holds_alternative<run_due>(fact->event)) add("plan: " + fact->state.order.plan);
  if (auto* end = std::get_if<run_finished>(&fact->event)) add("outcome: " + std::string(json::to_text(end->outcome)));
}

void tally::schedule_fact(bus::stored const& message, controller::shared_decoder& decoder) {
  auto fact = decoder.read<scheduler::schedule_fact>(message.body);
  if (!fact) return;
  if (fact->event.fired) add("slot: fired");
  if (fact->event.missed) add("slot: missed", fact->event.missed->count);
  if (fact->event.skipped) add("slot: skipped");
  if (fact->event.passed) add("slot: passed", fact->event.passed->count);
}

std::uint64_t tally::of(std::string const& what) const {
  auto found = counts_.find(what);
  return found == counts_.end() ? 0 : found->second;
}

std::uint64_t tally::under(std::string const& prefix) const {
  std::uint64_t sum = 0;
  for (auto count = counts_.lower_bound(prefix); count != counts_.end() && count->first.starts_with(prefix); ++count) sum += count->second;
  return sum;
}

std::vector<std::string> tally::shortfalls(std::uint64_t hours) const {
  std::vector<std::string> missing;
  std::vector<char const*> wanted(std::begin(must_come), std::end(must_come));
  if (hours >= long_run) wanted.insert(wanted.end(), std::begin(must_come_at_last), std::end(must_come_at_last));
  for (auto* what : wanted)
    if (of(what) == 0) missing.push_back(std::string(what) + " never came, so nothing was shown about it.");
  auto at_least = [&](std::string const& prefix, std::uint64_t least) {
    if (under(prefix) < least * hours)
      missing.push_back("Fewer than " + std::to_string(least) + " an hour of \"" + prefix + "\": " + std::to_string(under(prefix)) +
                        " in " + std::to_string(hours) + " h.");
  };
  at_least("event: run.due.v1", runs_an_hour), at_least("edit: ", edits_an_hour), at_least("fault: ", faults_an_hour);
  return missing;
}

std::vector<std::string> tally::rare() { return {std::begin(must_come_at_last), std::end(must_come_at_last)}; }

std::string tally::per_hour(std::uint64_t hours) const {
  auto each = [&](std::string const& prefix) { return static_cast<double>(under(prefix)) / static_cast<double>(hours); };
  char text[160];
  std::snprintf(text, sizeof text, "per hour: %.1f runs, %.1f edits or deletions, %.1f faults", each("event: run.due.v1"), each("edit: "),
                each("fault: "));
  return text;
}

}  // namespace kopiur::simulation
