#pragma once
#include <optional>

#include "proto/events/run.hpp"
#include "services/mirror/core/objects.hpp"

/// Whether anything may be started for a recipe or a repository, as every service reads it.
namespace kopiur::mirror {

/// Why nothing may be, with what ends that; nothing: it may.
std::optional<proto::wait_reason> not_usable(repository_sight const& repository);
std::optional<proto::wait_reason> not_usable(proto::backup_config const& config);
/// A user has asked for it, and ends it by the act that the message names: such a wait has no deadline.
bool is_suspension(proto::wait_reason const& why);

}  // namespace kopiur::mirror
