#pragma once
#include <optional>

#include "proto/events/run.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// Whether anything may be started for a recipe or a repository, as every service reads it.
namespace kopiur::rules {

/// Why nothing may be, with what ends that; nothing: it may.
std::optional<proto::wait_reason> not_usable(any_repository const& repository);
std::optional<proto::wait_reason> not_usable(proto::backup_config const& config);
/// A user has asked for it, and ends it by the act that the message names: such a wait has no deadline.
bool is_suspension(proto::wait_reason const& why);

}  // namespace kopiur::rules
