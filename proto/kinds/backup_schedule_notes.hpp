#pragma once
#include "proto/kinds/backup_schedule.hpp"
#include "proto/kinds/metadata_notes.hpp"

/// What the schema says of backup_schedule.hpp.
namespace kopiur::proto {

inline schema::type_notes notes_of(std::type_identity<schedule_rules>) {
  return {
      .text = "When the recipe runs.",
      .fields = {
          {"cron",
           "Five fields: minute, hour, day of month, month, day of week. `H` in a field is a value that is fixed for this schedule and "
           "spread over all.",
           schema::cron_text},
          {"jitter",
           "Each run starts up to this much later, by an amount that is fixed for its slot; shorter than the shortest gap between slots."},
          {"timezone", "IANA time zone that the cron is read in.", schema::timezone_text},
          {"runOnCreate", "Run once as soon as the schedule is created."},
          {"suspend", "Start nothing; slots that pass meanwhile are not made up for."},
          {"concurrencyPolicy",
           "What happens when the previous run still runs: Forbid skips the slot and says so, Allow runs both, Replace cancels the old "
           "one."},
          {"startingDeadlineSeconds",
           "A slot that could not start within this many seconds is given up; absent: it may start however late.", schema::at_least_0}}};
}
inline schema::type_notes notes_of(std::type_identity<backup_schedule_spec>) {
  return {.text = "When a recipe runs.",
          .fields = {{"configRef", "The recipe."},
                     {"schedule", "When the recipe runs."},
                     {"failedJobsHistoryLimit",
                      "How many failed Backups stay for inspection; successful ones are the recipe's retention.",
                      {.min = 0, .max = 1000}},
                     {"onScheduleDelete", "What becomes of the Backups when this object is deleted."}},
          .refused = {{"successfulJobsHistoryLimit", "There is no limit on successful Backups: write retention into the BackupConfig."}}};
}
inline schema::type_notes notes_of(std::type_identity<last_schedule>) {
  return {.text = "The newest slot that fired.",
          .fields = {{"scheduledAt", "The slot itself, on the wall clock."}, {"backupRef", "The Backup that it made."}}};
}
inline schema::type_notes notes_of(std::type_identity<next_schedule>) {
  return {.text = "The next slot.", .fields = {{"at", "When it starts, jitter included."}}};
}
inline schema::type_notes notes_of(std::type_identity<last_successful_schedule>) {
  return {.text = "The newest slot whose Backup succeeded.", .fields = {{"at", "When the Backup ended."}, {"backupRef", "The Backup."}}};
}
inline schema::type_notes notes_of(std::type_identity<backup_schedule_status>) {
  return {.text = "State of the schedule.",
          .fields = {{"observedGeneration", "The metadata.generation that this status is about."},
                     {"lastSchedule", "The newest slot that fired."},
                     {"nextSchedule", "The next slot."},
                     {"lastSuccessfulSchedule", "The newest slot whose Backup succeeded."},
                     {"consecutiveFailures", "How many runs failed since.", schema::at_least_0},
                     {"conditions", "Ready, ConfigResolvable, BackupSkipped.", {}, {}, {}, {}, "type"}}};
}
inline schema::type_notes notes_of(std::type_identity<backup_schedule>) {
  return {.text = "BackupSchedule says when a recipe runs, and makes its Backups."};
}

}  // namespace kopiur::proto
