#pragma once
#include <optional>
#include <string>

#include "proto/events/command.hpp"
#include "services/gateway/core/refusal.hpp"

namespace kopiur::gateway {

/// The keys of a Secret that say how its credentials are used.
inline constexpr std::string_view credentials_key = "credentials", cloud_key = "cloud";

/// How the credentials are to be used (spec/etcd-backup.md B3), from the values of the two keys; nothing: the Secret has no such key.
/// NotFound when it has none that counts. No value but a role's or a client's name is in the result, or in the sentence.
outcome<proto::credentials_form> form_of(proto::credentials_cloud cloud, std::optional<std::string> const& credentials,
                                         std::optional<std::string> const& settings);

}  // namespace kopiur::gateway
