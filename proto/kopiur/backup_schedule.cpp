#include "proto/kopiur/backup_schedule.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for backup_schedule.hpp.
namespace kopiur::proto {

constexpr schema::limits time_of_day{.pattern = "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$",
                                     .pattern_says = "a time of day: hours and minutes, as in 22:00"};

schema::type_notes notes_of(std::type_identity<time_window>) {
  return {.text = "A part of the week, in the schedule's time zone. One that ends before it begins goes on into the next day.",
          .fields = {{"days", "The days on which it begins; none: every day.", {}, {}, {}, 7},
                     {"from", "Its first minute, as in 22:00.", time_of_day},
                     {"to", "The first minute after it, as in 06:00; 24:00 is midnight.", time_of_day}}};
}
schema::type_notes notes_of(std::type_identity<schedule_windows>) {
  return {.text = "When Backups may begin. A slot that would begin at another time is none, and nobody misses it.",
          .fields = {{"allowed", "Slots begin in one of these; none: at any time.", {}, {}, {}, 50},
                     {"blackout", "Slots never begin in one of these, whatever is allowed.", {}, {}, {}, 50}}};
}
schema::type_notes notes_of(std::type_identity<schedule_rules>) {
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
          {"windows", "When slots may begin; absent: always."},
          {"runOnCreate", "Run once as soon as the schedule is created."},
          {"suspend", "Start nothing; slots that pass meanwhile are not made up for. kopiur suspend does the same without a change here."},
          {"concurrencyPolicy",
           "What happens when the previous run still runs: Forbid skips the slot and says so, Allow runs both, Replace cancels the old "
           "one."},
          {"startingDeadlineSeconds",
           "A slot that could not start within this many seconds is given up; absent: it may start however late.", schema::at_least_0}}};
}
schema::type_notes notes_of(std::type_identity<backup_schedule_spec>) {
  return {.text = "When a recipe runs.",
          .fields = {{"configRef", "The recipe."},
                     {"schedule", "When the recipe runs."},
                     {"failedJobsHistoryLimit",
                      "Of how many slots the failed Backups stay for inspection; successful ones are the recipe's retention.",
                      {.min = 0, .max = 1000}},
                     {"onScheduleDelete", "What becomes of the Backups when this object is deleted."}},
          .refused = {{"successfulJobsHistoryLimit", "There is no limit on successful Backups: write retention into the BackupConfig."}}};
}
schema::type_notes notes_of(std::type_identity<last_schedule>) {
  return {.text = "The newest slot that fired.",
          .fields = {{"scheduledAt", "The slot itself, on the wall clock."}, {"backupRef", "The Backup that it made."}}};
}
schema::type_notes notes_of(std::type_identity<next_schedule>) {
  return {.text = "The next slot.", .fields = {{"at", "When it starts, jitter included."}}};
}
schema::type_notes notes_of(std::type_identity<last_successful_schedule>) {
  return {.text = "The newest slot whose Backups all succeeded.",
          .fields = {{"at", "When the last of its Backups ended."}, {"backupRef", "That Backup."}}};
}
schema::type_notes notes_of(std::type_identity<backup_schedule_status>) {
  return {.text = "State of the schedule.",
          .fields = {
              {"observedGeneration", "The metadata.generation that this status is about."},
              {"lastSchedule", "The newest slot that fired."},
              {"nextSchedule", "The next slot."},
              {"lastSuccessfulSchedule", "The newest slot whose Backups all succeeded."},
              {"consecutiveFailures", "How many slots failed since: of one with several sources, any of its Backups.", schema::at_least_0},
              {"conditions", "Ready, ConfigResolvable, BackupSkipped.", {}, {}, {}, {}, "type"}}};
}
schema::type_notes notes_of(std::type_identity<backup_schedule>) {
  return {.text = "BackupSchedule says when a recipe runs, and makes its Backups."};
}

}  // namespace kopiur::proto
