#include "proto/kopiur/backup_schedule.hpp"

#include "proto/kopiur/longest.hpp"
#include "proto/schema/notes.hpp"

/// Schema notes for backup_schedule.hpp.
namespace kopiur::proto {

constexpr schema::limits time_of_day{.pattern = "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$",
                                     .pattern_says = "a time of day: hours and minutes, as in 22:00"};

schema::type_notes notes_of(std::type_identity<time_window>) {
  return {
      .text = "A time window of the week, in the schedule's time zone. A window that ends before it begins continues into the next day.",
      .fields = {{"days", "Days on which the window begins. Default: every day.", {}, {}, {}, 7},
                 {"from", "First minute of the window, for example 22:00.", time_of_day},
                 {"to", "First minute after the window, for example 06:00; 24:00 is midnight.", time_of_day}}};
}
schema::type_notes notes_of(std::type_identity<schedule_windows>) {
  return {.text = "When Backups may begin. A slot outside these windows is dropped and does not count as missed.",
          .fields = {{"allowed", "Slots begin only in these windows. Default: at any time.", {}, {}, {}, 50},
                     {"blackout", "Slots never begin in these windows, even if `allowed` contains the time.", {}, {}, {}, 50}}};
}
schema::type_notes notes_of(std::type_identity<schedule_rules>) {
  return {
      .text = "When the BackupConfig runs.",
      .fields = {
          {"cron",
           "Five fields: minute, hour, day of month, month, day of week. `H` in a field is a value that kopiur picks for this schedule; it "
           "never changes, and spreads the schedules over time.",
           schema::cron_text},
          {"jitter",
           "Each run is delayed by up to this much; the delay is fixed for each slot. Must be shorter than the shortest gap between "
           "slots.",
           schema::up_to(longest::jitter)},
          {"timezone", "IANA time zone of the cron expression.", schema::timezone_text},
          {"windows", "When slots may begin. Default: always."},
          {"runOnCreate", "Run once as soon as the schedule is created."},
          {"suspend",
           "Start nothing; slots that pass meanwhile are not run later. `kopiur suspend` has the same effect without changing this field."},
          {"concurrencyPolicy",
           "What happens if the previous run is still active. Forbid skips the slot and reports that; Allow runs both; Replace cancels the "
           "previous run."},
          {"startingDeadlineSeconds",
           "A slot that could not start within this many seconds is skipped; less than 10 counts as 10. Default: it may start at any later "
           "time.",
           schema::seconds(0, longest::late_start)}}};
}
schema::type_notes notes_of(std::type_identity<backup_schedule_spec>) {
  return {
      .text = "When a BackupConfig runs.",
      .fields =
          {{"configRef", "The BackupConfig to run."},
           {"schedule", "When the BackupConfig runs."},
           {"failedJobsHistoryLimit",
            "Number of slots whose failed Backups are kept for inspection. For successful Backups, the BackupConfig's retention applies.",
            {.min = 0, .max = 1000}},
           {"onScheduleDelete", "What happens to the Backups when this BackupSchedule is deleted."}},
      .refused = {{"successfulJobsHistoryLimit", "There is no limit on successful Backups: write retention into the BackupConfig."}}};
}
schema::type_notes notes_of(std::type_identity<last_schedule>) {
  return {.text = "The newest slot that fired.",
          .fields = {{"scheduledAt", "Time of the slot, without jitter."}, {"backupRef", "The Backup that was created for the slot."}}};
}
schema::type_notes notes_of(std::type_identity<next_schedule>) {
  return {.text = "The next slot.", .fields = {{"at", "When the slot starts, including jitter."}}};
}
schema::type_notes notes_of(std::type_identity<last_successful_schedule>) {
  return {.text = "The newest slot whose Backups all succeeded.",
          .fields = {{"at", "When the last of its Backups ended."}, {"backupRef", "The Backup that ended last."}}};
}
schema::type_notes notes_of(std::type_identity<backup_schedule_status>) {
  return {.text = "State of the schedule.",
          .fields = {
              {"observedGeneration", "The metadata.generation that this status describes."},
              {"lastSchedule", "The newest slot that fired."},
              {"nextSchedule", "The next slot."},
              {"lastSuccessfulSchedule", "The newest slot whose Backups all succeeded."},
              {"consecutiveFailures",
               "Number of slots that failed since lastSuccessfulSchedule. A slot failed if any of its Backups failed.", schema::at_least_0},
              {"conditions", "Ready, ConfigResolvable, BackupSkipped.", {}, {}, {}, {}, "type"}}};
}
schema::type_notes notes_of(std::type_identity<backup_schedule>) {
  return {.text = "BackupSchedule says when a BackupConfig runs, and creates its Backups."};
}

}  // namespace kopiur::proto
