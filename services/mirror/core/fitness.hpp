#pragma once
#include <optional>
#include <string_view>

#include "proto/events/status.hpp"
#include "proto/kinds/metadata.hpp"

/// Rules become stricter, and what stood before stays as it was (proto/validate.hpp): its owner is told.
namespace kopiur::mirror {

/// SpecFit=False with what is wrong: a new object that says the same would be refused today. Nothing: it would be taken. `spec` is encoded.
std::optional<proto::condition_claim> spec_unfit(std::string_view kind, proto::object_meta const& meta, json::value spec);

}  // namespace kopiur::mirror
