#pragma once
#include "common/json/codec.hpp"
#include "proto/core/lease.hpp"
#include "proto/events/command.hpp"
#include "proto/events/request.hpp"
#include "proto/events/run.hpp"
#include "proto/events/snapshot_list.hpp"
#include "proto/events/status.hpp"
#include "proto/events/watch.hpp"
#include "proto/kinds.hpp"

/// The JSON codec of the messages and kinds, compiled once (codec.cpp). Include this instead of common/json/codec.hpp wherever one of these
/// types is read or written: it halves the compile time of such a file.
#define KOPIUR_CODEC(PREFIX, TYPE)                                                                                               \
  PREFIX template std::expected<void, kopiur::json::problem> kopiur::json::decode_into<TYPE>(kopiur::json::value const&, TYPE&); \
  PREFIX template kopiur::json::value kopiur::json::encode<TYPE>(TYPE const&);

#define KOPIUR_CODECS(PREFIX)                                  \
  KOPIUR_CODEC(PREFIX, kopiur::proto::repository)              \
  KOPIUR_CODEC(PREFIX, kopiur::proto::repository_spec)         \
  KOPIUR_CODEC(PREFIX, kopiur::proto::repository_status)       \
  KOPIUR_CODEC(PREFIX, kopiur::proto::cluster_repository)      \
  KOPIUR_CODEC(PREFIX, kopiur::proto::cluster_repository_spec) \
  KOPIUR_CODEC(PREFIX, kopiur::proto::backup_config)           \
  KOPIUR_CODEC(PREFIX, kopiur::proto::backup_config_spec)      \
  KOPIUR_CODEC(PREFIX, kopiur::proto::backup_config_status)    \
  KOPIUR_CODEC(PREFIX, kopiur::proto::backup)                  \
  KOPIUR_CODEC(PREFIX, kopiur::proto::backup_status)           \
  KOPIUR_CODEC(PREFIX, kopiur::proto::backup_resolved)         \
  KOPIUR_CODEC(PREFIX, kopiur::proto::backup_schedule)         \
  KOPIUR_CODEC(PREFIX, kopiur::proto::backup_schedule_status)  \
  KOPIUR_CODEC(PREFIX, kopiur::proto::restore)                 \
  KOPIUR_CODEC(PREFIX, kopiur::proto::restore_status)          \
  KOPIUR_CODEC(PREFIX, kopiur::proto::maintenance)             \
  KOPIUR_CODEC(PREFIX, kopiur::proto::persistent_volume)       \
  KOPIUR_CODEC(PREFIX, kopiur::proto::storage_class)           \
  KOPIUR_CODEC(PREFIX, kopiur::proto::persistent_volume_claim) \
  KOPIUR_CODEC(PREFIX, kopiur::proto::kopia_task)              \
  KOPIUR_CODEC(PREFIX, kopiur::proto::kopia_result)            \
  KOPIUR_CODEC(PREFIX, kopiur::proto::output_line)             \
  KOPIUR_CODEC(PREFIX, kopiur::proto::result_head)             \
  KOPIUR_CODEC(PREFIX, kopiur::proto::pod_options)             \
  KOPIUR_CODEC(PREFIX, kopiur::proto::output_page)             \
  KOPIUR_CODEC(PREFIX, kopiur::proto::job)                     \
  KOPIUR_CODEC(PREFIX, kopiur::proto::row_page)                \
  KOPIUR_CODEC(PREFIX, kopiur::proto::snapshot_list)           \
  KOPIUR_CODEC(PREFIX, kopiur::proto::watch_log)               \
  KOPIUR_CODEC(PREFIX, kopiur::proto::list_page)               \
  KOPIUR_CODEC(PREFIX, kopiur::proto::answer)                  \
  KOPIUR_CODEC(PREFIX, kopiur::proto::gateway_command)         \
  KOPIUR_CODEC(PREFIX, kopiur::proto::lease_request)           \
  KOPIUR_CODEC(PREFIX, kopiur::proto::lease_state)             \
  KOPIUR_CODEC(PREFIX, kopiur::proto::lease_waiter)            \
  KOPIUR_CODEC(PREFIX, kopiur::proto::status_fragment)         \
  KOPIUR_CODEC(PREFIX, kopiur::proto::run_fact)                \
  KOPIUR_CODEC(PREFIX, kopiur::proto::run_plan)

KOPIUR_CODECS(extern)
