#include "services/cli/core/suspending.hpp"

#include <algorithm>

#include "common/encoding/join.hpp"
#include "services/cli/core/formatting.hpp"
#include "services/cli/core/kinds.hpp"
#include "services/systems/kopiur/rules/belonging.hpp"

namespace kopiur::cli {

using namespace proto;

namespace {

std::string title(rules::suspension const& one) { return one.object.kind + " " + one.object.name; }

std::string by_whom(rules::suspension const& one) {
  return one.by_hand.empty() ? "by its manifest, " + std::string(rules::suspend_field(one.object.kind)) : rules::brief_note(one);
}

std::optional<instant> since(rules::suspension const& one, std::vector<condition> const& conditions) {
  if (!one.by_hand.empty()) return rules::suspended_since(one.by_hand);
  auto found = std::ranges::find(conditions, "Suspended", &condition::reason);
  return found == conditions.end() ? std::nullopt : std::optional(found->last_transition_time);
}

}  // namespace

std::expected<kind_info, std::string> find_suspendable_kind(std::string_view named) {
  auto kind = find_kind(named);
  auto able = controller::names_of<rules::suspendable_kinds>();
  if (!kind || std::ranges::find(able, kind->kind) != able.end()) return kind;
  return std::unexpected("A " + std::string(kind->kind) + " cannot be suspended. Name one of: " + encoding::join(able) + ".");
}

std::optional<std::string> already_suspended(rules::suspension const& one) {
  if (!holds(one)) return {};
  return title(one) + " is suspended already (" + by_whom(one) + ").";
}

std::optional<std::string> cannot_resume(controller::objects const& all, rules::suspension const& one) {
  if (one.by_manifest)
    return title(one) + " is suspended by its manifest: set " + std::string(rules::suspend_field(one.object.kind)) +
           " to false there. kopiur changes no spec, since the manifest's owner would put it back." +
           (one.by_hand.empty() ? "" : " Then run this again: it is suspended by hand too (" + rules::brief_note(one) + ").");
  auto* meta = controller::find_meta(all, one.object.kind, {one.object.namespace_, one.object.name});
  if (meta && controller::is_manifest_missing(*meta))
    return title(one) + " is suspended because its manifest has vanished: put the file back, or delete the object.";
  return {};
}

std::string suspended_finding(rules::suspension const& one, std::vector<condition> const& conditions, std::string_view consequence,
                              instant now) {
  auto when = since(one, conditions);
  return "Suspended " + (when ? when_text(*when, now) + " (" : std::string("(")) + by_whom(one) + "): " + std::string(consequence) +
         ". To resume, " + rules::way_to_resume(one);
}

}  // namespace kopiur::cli
