#pragma once
#include <optional>
#include <string>

#include "common/json/value.hpp"
#include "common/time/instant.hpp"
#include "services/controller/core/objects.hpp"

/// The objects that verbs make. Pure.
namespace kopiur::cli {

struct import_order {
  std::string ns, config;
  instant at{};
  std::string from;
  std::optional<std::string> source_path;
};
/// A Backup with `spec.import`. Its name follows from config, source and time: the same history is brought in once.
json::value import_manifest(import_order const& of);

struct restore_order {
  std::string ns, name;                                 ///< of the Restore
  std::optional<std::string> config, backup, identity;  ///< exactly one; the last as `user@host:path`
  std::optional<std::string> source_path;
  std::optional<std::string> snapshot;              ///< with identity: just this one
  std::optional<proto::repository_ref> repository;  ///< with identity
  std::optional<instant> as_of;                     ///< with config or identity: the newest at or before it
  int offset = 0;                                   ///< with config or identity: the n-th newest
  std::string claim;                                ///< empty only for a dry run
  bool existing = false;                            ///< into a claim that is there; else one is made
  std::optional<std::string> capacity;
  std::optional<std::string> path;  ///< this file or folder alone
  bool dry_run = false, require_ownership = false;
};
/// `NAME` of a Repository, or `ClusterRepository/NAME`.
proto::repository_ref repository_named(std::string const& text);
/// The repository that an identity is looked up in where the user names none: the only one that his namespace has. Else a sentence.
std::expected<proto::repository_ref, std::string> only_repository(controller::objects const& all, std::string const& ns);
/// A Restore; the error is a sentence (a wrong combination).
std::expected<json::value, std::string> restore_manifest(restore_order const& of);

/// The body of a request to back up; numbers and all as the door takes them.
json::value backup_request_body(std::string const& id, std::string const& config, std::optional<std::string> const& source_path);

}  // namespace kopiur::cli
