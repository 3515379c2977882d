#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proto/core/metadata.hpp"
#include "proto/events/status.hpp"

/// Rules become stricter, and what stood before stays as it was (proto/validate.hpp): its owner is told.
namespace kopiur::rules {

/// What is wrong, as sentences: a new object that says the same would be refused today. Nothing: it would be taken. `spec` is encoded.
std::optional<std::string> spec_unfit(std::string_view kind, proto::object_meta const& meta, json::value spec);

/// A condition that is stated where it is False, with why, and once it was so: a condition that is left out would stay as it was said last.
std::optional<proto::condition_fragment> fitness(std::string_view type, std::vector<proto::condition> const& stated,
                                                 std::string_view reason, std::optional<std::string> unfit,
                                                 std::string_view fit = "It would be taken today as it is.");

}  // namespace kopiur::rules
