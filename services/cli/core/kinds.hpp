#pragma once
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "proto/core/metadata.hpp"

/// How users name kinds.
namespace kopiur::cli {

/// Finds a kind by its name, plural, singular or short name, in any case, and without the prefix `Backup` (`schedules`, `config`). The
/// error is a sentence that lists the kinds.
std::expected<proto::kind_info, std::string> find_kind(std::string_view named);
/// All kinds: ours first.
std::span<proto::kind_info const> all_kinds();

}  // namespace kopiur::cli
