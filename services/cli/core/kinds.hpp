#pragma once
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "proto/core/metadata.hpp"

/// How users name kinds.
namespace kopiur::cli {

/// The kind by its name, plural, singular or short name, in any case, and without `Backup` in front (`schedules`, `config`); the error is a
/// sentence with the kinds there are.
std::expected<proto::kind_info, std::string> find_kind(std::string_view named);
/// All of them: ours first.
std::span<proto::kind_info const> all_kinds();

}  // namespace kopiur::cli
