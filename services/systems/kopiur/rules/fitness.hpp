#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proto/core/metadata.hpp"
#include "proto/events/status.hpp"

/// When rules become stricter, stored objects stay valid (proto/validate.hpp). A condition tells the user.
namespace kopiur::rules {

/// Why a new object with this spec would be refused today, as sentences; nothing: it would be accepted. `spec` is encoded.
std::optional<std::string> spec_unfit(std::string_view kind, proto::object_meta const& meta, json::value spec);

/// A condition that is stated while it is False, and after that as True. If it were left out later, its last value would remain.
std::optional<proto::condition_fragment> fitness(std::string_view type, std::vector<proto::condition> const& stated,
                                                 std::string_view reason, std::optional<std::string> unfit,
                                                 std::string_view fit = "It would be taken today as it is.");

}  // namespace kopiur::rules
