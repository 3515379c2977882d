#pragma once
#include <optional>

#include "proto/events/run.hpp"
#include "services/systems/kopiur/rules/buckets.hpp"

/// Whether a run may start for a config or a repository, shared by all services.
namespace kopiur::rules {

/// Why no run may start, with the remedy; nothing: it may.
std::optional<proto::wait_reason> not_usable(any_repository const& repository);
/// The same, also while no Buckety gives its bucket; for services that see Secrets.
std::optional<proto::wait_reason> not_usable(controller::objects const& all, any_repository const& repository,
                                             bucket_use use = bucket_use::Keep);
std::optional<proto::wait_reason> not_usable(proto::backup_config const& config);
/// A user suspended it, and ends that by the action that the message names: such a wait has no deadline.
bool is_suspension(proto::wait_reason const& why);

}  // namespace kopiur::rules
