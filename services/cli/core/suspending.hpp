#pragma once
#include <expected>
#include <optional>
#include <string>

#include "proto/core/metadata.hpp"
#include "services/systems/kopiur/rules/suspension.hpp"

/// What `kopiur suspend` and `kopiur resume` come to, and what `kopiur status` says of a suspended object. Pure.
namespace kopiur::cli {

/// As find_kind(); the error also covers kinds that cannot be suspended, and names those that can.
std::expected<proto::kind_info, std::string> find_suspendable_kind(std::string_view named);

/// It is suspended already: that sentence. Nothing: the annotation is to be written.
std::optional<std::string> already_suspended(rules::suspension const& one);
/// Why no annotation keeps it suspended, so that taking one away would not resume it. Nothing: that resumes it, or it is not suspended.
std::optional<std::string> cannot_resume(controller::objects const& all, rules::suspension const& one);

/// `Suspended 3 h ago (by kopiur suspend at ...): CONSEQUENCE. To resume, run: kopiur resume ...`. Without an annotation, the condition
/// that says Suspended tells since when.
std::string suspended_finding(rules::suspension const& one, std::vector<proto::condition> const& conditions, std::string_view consequence,
                              instant now);

}  // namespace kopiur::cli
