#pragma once
#include <optional>
#include <string>

#include "common/json/value.hpp"
#include "common/time/instant.hpp"
#include "services/controller/core/objects.hpp"

/// The objects that verbs create. Pure.
namespace kopiur::cli {

struct import_order {
  std::string ns, config;
  instant time{};
  std::string from;
  std::optional<std::string> source_path;
};
/// A Backup with `spec.import`. Its name is derived from config, source and time, so the same history is imported once.
json::value import_manifest(import_order const& order);

struct restore_order {
  std::string ns, name;                                 ///< of the Restore
  std::optional<std::string> config, backup, identity;  ///< exactly one; the last as `user@host:path`
  std::optional<std::string> source_path;
  std::optional<std::string> snapshot;              ///< with identity: only this one
  std::optional<proto::repository_ref> repository;  ///< with identity
  std::optional<instant> as_of;                     ///< with config or identity: the newest at or before it
  int offset = 0;                                   ///< with config or identity: skip the n newest
  std::string claim;                                ///< empty only for a dry run
  bool existing = false;                            ///< into an existing claim; else one is created
  std::optional<std::string> capacity;
  std::optional<std::string> path;  ///< only this file or folder
  bool dry_run = false, require_ownership = false;
};
/// `NAME` of a Repository, or `ClusterRepository/NAME`.
proto::repository_ref repository_named(std::string const& text);
/// The repository for an identity when the user names none: the only one of the namespace. The error is a sentence.
std::expected<proto::repository_ref, std::string> only_repository(controller::objects const& all, std::string const& ns);
/// A Restore; the error is a sentence (an invalid combination).
std::expected<json::value, std::string> restore_manifest(restore_order const& order);

/// The body of a backup request, in the form that the request API accepts.
json::value backup_request_body(std::string const& id, std::string const& config, std::optional<std::string> const& source_path);

}  // namespace kopiur::cli
