#include <set>
#include <sstream>

#include "common/blob/s3/core/xml.hpp"
#include "common/blob/s3/core/xml_root.hpp"
#include "common/encoding/number.hpp"

namespace kopiur::blob::s3 {

namespace {

std::string raw(pugi::xml_node from) {
  std::ostringstream text;
  from.print(text, "", pugi::format_raw, pugi::encoding_utf8);
  return text.str();
}

/// Whether an element has no children but these, each at most once.
bool has_only(pugi::xml_node from, std::set<std::string_view> names) {
  for (auto each : from.children())
    if (each.type() == pugi::node_element && names.erase(each.name()) == 0) return false;
  return true;
}

std::optional<int> days(pugi::xml_node from, char const* name) {
  return encoding::whole_number<int>(std::string_view(from.child_value(name)));
}

/// Whether lifecycle_rule has a member for everything that the rule says.
bool is_simple(pugi::xml_node rule) {
  auto expiration = rule.child("Expiration"), abort = rule.child("AbortIncompleteMultipartUpload");
  return has_only(rule, {"ID", "Prefix", "Filter", "Status", "Expiration", "AbortIncompleteMultipartUpload"}) &&
         has_only(rule.child("Filter"), {"Prefix"}) && !(rule.child("Prefix") && rule.child("Filter")) &&
         (!expiration || (has_only(expiration, {"Days"}) && days(expiration, "Days"))) &&
         (!abort || (has_only(abort, {"DaysAfterInitiation"}) && days(abort, "DaysAfterInitiation")));
}

lifecycle_rule read_rule(pugi::xml_node rule) {
  std::string prefix = rule.child("Filter") ? rule.child("Filter").child_value("Prefix") : rule.child_value("Prefix");
  return {.id = rule.child_value("ID"),
          .prefix = std::move(prefix),
          .expiration_days = days(rule.child("Expiration"), "Days"),
          .abort_uploads_days = days(rule.child("AbortIncompleteMultipartUpload"), "DaysAfterInitiation"),
          .enabled = std::string_view(rule.child_value("Status")) == "Enabled",
          .verbatim = is_simple(rule) ? "" : raw(rule)};
}

/// False when the rule has a text of its own that is not a rule.
bool write_rule(pugi::xml_node list, lifecycle_rule const& rule) {
  if (!rule.verbatim.empty()) {
    pugi::xml_document own;
    if (!load(own, rule.verbatim, "Rule").empty()) return false;
    list.append_copy(own.document_element());
    return true;
  }
  auto out = list.append_child("Rule");
  add(out, "ID", rule.id);
  add(out.append_child("Filter"), "Prefix", rule.prefix);
  add(out, "Status", rule.enabled ? "Enabled" : "Disabled");
  if (rule.expiration_days) add(out.append_child("Expiration"), "Days", std::to_string(*rule.expiration_days));
  if (rule.abort_uploads_days)
    add(out.append_child("AbortIncompleteMultipartUpload"), "DaysAfterInitiation", std::to_string(*rule.abort_uploads_days));
  return true;
}

}  // namespace

read_as<std::vector<lifecycle_rule>> read_lifecycle(std::string_view text) {
  pugi::xml_document document;
  if (auto wrong = load(document, text, "LifecycleConfiguration"); !wrong.empty()) return std::unexpected(wrong);
  std::vector<lifecycle_rule> out;
  for (auto each : document.document_element().children("Rule")) out.push_back(read_rule(each));
  return out;
}

std::expected<std::string, std::string> lifecycle_xml(std::vector<lifecycle_rule> const& rules) {
  pugi::xml_document document;
  auto list = add_root(document, "LifecycleConfiguration");
  for (auto& each : rules)
    if (!write_rule(list, each)) return std::unexpected("The text of the lifecycle rule \"" + each.id + "\" is not a <Rule>.");
  return to_text(document);
}

}  // namespace kopiur::blob::s3
