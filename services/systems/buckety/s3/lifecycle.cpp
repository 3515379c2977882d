#include "services/systems/buckety/s3/lifecycle.hpp"

#include <algorithm>

#include "common/config/load.hpp"
#include "common/json/strict.hpp"

namespace kopiur::buckety::s3 {
namespace {

constexpr json::bounds bounds{.bytes = 256 << 10, .depth = 16, .members = 20'000};

std::expected<lifecycle_document, std::string> read_document(std::string_view text) {
  auto parsed = json::parse_strictly(text, bounds);
  if (!parsed) return std::unexpected(parsed.error().text() + ".");
  if (auto unknown = config::unknown_fields<lifecycle_document>(*parsed); !unknown.empty())
    return std::unexpected(unknown.front().first + ": " + unknown.front().second);
  auto read = json::decode<lifecycle_document>(*parsed);
  if (!read) return std::unexpected(read.error().text() + ".");
  return std::move(*read);
}

std::optional<std::string> refuse_prefix(std::string const& prefix) {
  if (prefix.size() > max_prefix) return "condition.matchesPrefix: has more than " + std::to_string(max_prefix) + " bytes.";
  // XML cannot carry them.
  if (std::ranges::any_of(prefix, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    return "condition.matchesPrefix: contains a control character.";
  return {};
}

std::expected<lifecycle_rule, std::string> rule_of(lifecycle_entry const& entry) {
  auto& [age, prefixes] = entry.condition;
  if (prefixes.size() > 1) return std::unexpected("condition.matchesPrefix: S3 takes one prefix a rule. Write one rule for each.");
  if (!age) return std::unexpected("condition.age: is missing. Write the number of days.");
  if (*age < 1 || *age > max_age) return std::unexpected("condition.age: must be from 1 to " + std::to_string(max_age) + " days.");
  lifecycle_rule rule{.prefix = prefixes.empty() ? "" : prefixes.front()};
  if (auto refused = refuse_prefix(rule.prefix)) return std::unexpected(*refused);
  if (entry.action.type == "Delete")
    rule.expiration_days = age;
  else if (entry.action.type == "AbortIncompleteMultipartUpload")
    rule.abort_days = age;
  else
    return std::unexpected("action.type: must be Delete or AbortIncompleteMultipartUpload.");
  return rule;
}

}  // namespace

std::expected<lifecycle_rules, std::string> parse_lifecycle(std::string_view text) {
  auto document = read_document(text);
  if (!document) return std::unexpected(document.error());
  if (!document->rule) return std::unexpected(R"(rule: is missing. Write {"rule": []} to remove all rules.)");
  if (document->rule->size() > max_rules) return std::unexpected("rule: S3 takes at most " + std::to_string(max_rules) + " rules.");
  lifecycle_rules rules;
  for (auto& entry : *document->rule) {
    auto rule = rule_of(entry);
    if (!rule) return std::unexpected("rule[" + std::to_string(rules.size()) + "]." + rule.error());
    rules.push_back(std::move(*rule));
  }
  return rules;
}

bool are_same(lifecycle_rules one, lifecycle_rules other) {
  std::ranges::sort(one), std::ranges::sort(other);
  return one == other;
}

}  // namespace kopiur::buckety::s3
