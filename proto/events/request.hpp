#pragma once
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "common/json/value.hpp"
#include "proto/describe.hpp"
#include "proto/kopiur/backup.hpp"

/// Requests from outside kopiur: subject `kopiur.v1.req.<cluster>.<ns>.<verb>`. decisions.md section 2.
namespace kopiur::proto {

struct backup_request {
  static constexpr std::string_view member = "backup";
  std::string config;                      ///< BackupConfig of the namespace
  std::optional<std::string> source_path;  ///< which source, if the config has several
  std::map<std::string, std::string> tags;
};
KOPIUR_DESCRIBE_NOTED(backup_request, (), (config, source_path, tags))
struct restore_request {
  static constexpr std::string_view member = "restore";
  json::value spec;  ///< as Restore.spec
};
KOPIUR_DESCRIBE_NOTED(restore_request, (), (spec))
struct maintenance_request {
  static constexpr std::string_view member = "maintenance";
  std::string maintenance;  ///< Maintenance of the namespace
  bool full = false;
};
KOPIUR_DESCRIBE_NOTED(maintenance_request, (), (maintenance, full))
struct cancel_request {
  static constexpr std::string_view member = "cancel";
  std::string kind = std::string(backup::info.kind), name;
};
KOPIUR_DESCRIBE_NOTED(cancel_request, (), (kind, name))
using user_request = std::variant<backup_request, restore_request, maintenance_request, cancel_request>;

/// Sent on `kopiur.v1.ack.<cluster>.<ns>.<id>` within a second.
struct request_answer {
  std::string id;
  bool accepted = false;
  std::string message;                 ///< if refused: why, as a sentence
  std::string kind, namespace_, name;  ///< the object created or changed for the request
};
KOPIUR_DESCRIBE_NOTED(request_answer, (), (id, accepted, message, kind, namespace_, name))

}  // namespace kopiur::proto
