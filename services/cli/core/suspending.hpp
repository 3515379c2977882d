#pragma once
#include <expected>
#include <optional>
#include <string>

#include "proto/core/metadata.hpp"
#include "services/systems/kopiur/rules/suspension.hpp"

/// Decisions of `kopiur suspend` and `kopiur resume`, and what `kopiur status` shows of a suspended object. Pure.
namespace kopiur::cli {

/// As find_kind(). The error also covers kinds that cannot be suspended, and names those that can.
std::expected<proto::kind_info, std::string> find_suspendable_kind(std::string_view named);

/// The message when the object is suspended already; empty: the annotation must be written.
std::optional<std::string> already_suspended(rules::suspension const& one);
/// Why removing an annotation would not resume the object. Empty: removing it resumes the object, or the object is not suspended.
std::optional<std::string> cannot_resume(controller::objects const& all, rules::suspension const& one);

/// `Suspended 3 h ago (by kopiur suspend at ...): CONSEQUENCE. To resume, run: kopiur resume ...`. Without an annotation, the time is that
/// of the condition with reason Suspended.
std::string suspended_finding(rules::suspension const& one, std::vector<proto::condition> const& conditions, std::string_view consequence,
                              instant now);

}  // namespace kopiur::cli
