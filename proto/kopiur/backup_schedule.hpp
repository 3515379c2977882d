#pragma once
#include "proto/describe.hpp"
#include "proto/kopiur/names.hpp"
#include "proto/kopiur/shared.hpp"

/// BackupSchedule: when a BackupConfig runs (spec/kopiur.md).
namespace kopiur::proto {

enum class concurrency_policy { Forbid, Allow, Replace };
BOOST_DESCRIBE_ENUM(concurrency_policy, Forbid, Allow, Replace)

enum class weekday { Mon, Tue, Wed, Thu, Fri, Sat, Sun };
BOOST_DESCRIBE_ENUM(weekday, Mon, Tue, Wed, Thu, Fri, Sat, Sun)

/// A part of the week, in the schedule's time zone. A window that ends before it begins continues into the next day, which need not be
/// listed.
struct time_window {
  std::vector<weekday> days;                 ///< on which it begins; empty: every day
  std::string from = "00:00", to = "24:00";  ///< hours and minutes; `to` is exclusive
};
KOPIUR_DESCRIBE_NOTED(time_window, (), (days, from, to))

/// When slots may begin. A slot outside is not a slot: it does not count as missed.
struct schedule_windows {
  std::vector<time_window> allowed;   ///< empty: always
  std::vector<time_window> blackout;  ///< never, even inside `allowed`
};
KOPIUR_DESCRIBE_NOTED(schedule_windows, (), (allowed, blackout))

struct schedule_rules {
  std::string cron;                ///< five fields; `H` allowed in any of them
  std::optional<duration> jitter;  ///< shorter than the shortest gap between slots
  std::string timezone = "UTC";
  std::optional<schedule_windows> windows;
  bool run_on_create = false, suspend = false;
  proto::concurrency_policy concurrency_policy = proto::concurrency_policy::Forbid;
  std::optional<std::int64_t> starting_deadline_seconds;  ///< absent: a missed slot may fire at any later time
};
KOPIUR_DESCRIBE_NOTED(schedule_rules, (),
                      (cron, jitter, timezone, windows, run_on_create, suspend, concurrency_policy, starting_deadline_seconds))

struct backup_schedule_spec {
  local_ref config_ref;
  schedule_rules schedule;
  int failed_jobs_history_limit = 3;
  on_owner_delete on_schedule_delete = on_owner_delete::Retain;
};
KOPIUR_DESCRIBE_NOTED(backup_schedule_spec, (), (config_ref, schedule, failed_jobs_history_limit, on_schedule_delete))

struct last_schedule {
  instant scheduled_at{};  ///< the slot itself, not the actual start
  std::optional<std::string> backup_ref;
};
KOPIUR_DESCRIBE_NOTED(last_schedule, (), (scheduled_at, backup_ref))
struct next_schedule {
  instant at{};
};
KOPIUR_DESCRIBE_NOTED(next_schedule, (), (at))
struct last_successful_schedule {
  instant at{};
  std::optional<std::string> backup_ref;
};
KOPIUR_DESCRIBE_NOTED(last_successful_schedule, (), (at, backup_ref))

struct backup_schedule_status {
  std::optional<std::int64_t> observed_generation;
  std::optional<proto::last_schedule> last_schedule;
  std::optional<proto::next_schedule> next_schedule;
  std::optional<proto::last_successful_schedule> last_successful_schedule;
  std::optional<std::int64_t> consecutive_failures;
  std::vector<condition> conditions;
};
KOPIUR_DESCRIBE_NOTED(backup_schedule_status, (),
                      (observed_generation, last_schedule, next_schedule, last_successful_schedule, consecutive_failures, conditions))

struct backup_schedule {
  static constexpr printer_column columns[]{{"Config", "string", ".spec.configRef.name"},
                                            {"Schedule", "string", ".spec.schedule.cron"},
                                            {"Last Success", "date", ".status.lastSuccessfulSchedule.at"},
                                            {"Next", "string", ".status.nextSchedule.at"},
                                            column::state,
                                            column::age,
                                            {"Time Zone", "string", ".spec.schedule.timezone", 1},
                                            {"Failures", "integer", ".status.consecutiveFailures", 1},
                                            column::message};
  static constexpr kind_info info = kopiur_kind(
      {.kind = "BackupSchedule", .plural = "backupschedules", .singular = "backupschedule", .acts_by_itself = true, .columns = columns});
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  backup_schedule_spec spec;
  backup_schedule_status status;
};
KOPIUR_DESCRIBE_NOTED(backup_schedule, (), (api_version, kind, metadata, spec, status))

}  // namespace kopiur::proto
