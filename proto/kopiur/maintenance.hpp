#pragma once
#include "proto/describe.hpp"
#include "proto/kopiur/kopia_task.hpp"
#include "proto/kopiur/names.hpp"
#include "proto/kopiur/shared.hpp"

/// Maintenance: quick and full maintenance of one repository, and its owner (spec/kopiur.md).
namespace kopiur::proto {

struct maintenance_slot {
  std::string cron;
  std::optional<duration> jitter;
};
KOPIUR_DESCRIBE_NOTED(maintenance_slot, (), (cron, jitter))

struct maintenance_schedule {
  maintenance_slot quick{.cron = "0 */6 * * *", .jitter = {}};
  maintenance_slot full{.cron = "0 3 * * 0", .jitter = {}};
  std::string timezone = "UTC";
};
KOPIUR_DESCRIBE_NOTED(maintenance_schedule, (), (quick, full, timezone))

struct maintenance_ownership {
  std::optional<std::string> owner;  ///< kopia's `user@host`; default `kopiur@<uniqueID>`
  proto::takeover_policy takeover_policy = proto::takeover_policy::PromptCondition;
};
KOPIUR_DESCRIBE_NOTED(maintenance_ownership, (), (owner, takeover_policy))

struct maintenance_mover {
  std::optional<json::value> resources;
};
KOPIUR_DESCRIBE_NOTED(maintenance_mover, (), (resources))

struct maintenance_spec {
  repository_ref repository;
  maintenance_schedule schedule;
  maintenance_ownership ownership;
  std::optional<maintenance_mover> mover;
  proto::failure_policy failure_policy{.backoff_limit = 1, .active_deadline_seconds = 14400};
  bool suspend = false;
};
KOPIUR_DESCRIBE_NOTED(maintenance_spec, (), (repository, schedule, ownership, mover, failure_policy, suspend))

struct maintenance_owner {
  std::string owner;
  std::optional<instant> claimed_at;
};
KOPIUR_DESCRIBE_NOTED(maintenance_owner, (), (owner, claimed_at))

/// The scheduler writes `next_scheduled_at`, mover-orchestration the other fields.
struct maintenance_run_status {
  std::optional<instant> last_run_at, last_success_at, next_scheduled_at;
  std::optional<std::int64_t> consecutive_failures, last_content_reclaimed_bytes;
};
KOPIUR_DESCRIBE_NOTED(maintenance_run_status, (),
                      (last_run_at, last_success_at, next_scheduled_at, consecutive_failures, last_content_reclaimed_bytes))

struct maintenance_status {
  std::optional<std::int64_t> observed_generation;
  std::optional<maintenance_owner> ownership;
  std::optional<maintenance_run_status> quick, full;
  std::optional<std::string> last_handled_request;  ///< last value of `G/run-maintenance` for which a run was ordered
  std::vector<condition> conditions;
};
KOPIUR_DESCRIBE_NOTED(maintenance_status, (), (observed_generation, ownership, quick, full, last_handled_request, conditions))

struct maintenance {
  static constexpr printer_column columns[]{{"Repository", "string", ".spec.repository.name"},
                                            {"Owner", "string", ".status.ownership.owner"},
                                            {"Last Quick", "date", ".status.quick.lastRunAt"},
                                            {"Last Full", "date", ".status.full.lastRunAt"},
                                            column::age,
                                            {"Next Quick", "string", ".status.quick.nextScheduledAt", 1},
                                            {"Next Full", "string", ".status.full.nextScheduledAt", 1},
                                            column::message};
  static constexpr kind_info info =
      kopiur_kind({.kind = "Maintenance", .plural = "maintenances", .singular = "maintenance", .acts_by_itself = true, .columns = columns});
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  maintenance_spec spec;
  maintenance_status status;
};
KOPIUR_DESCRIBE_NOTED(maintenance, (), (api_version, kind, metadata, spec, status))

}  // namespace kopiur::proto
