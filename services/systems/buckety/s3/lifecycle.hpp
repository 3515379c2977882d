#pragma once
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/json/describe.hpp"

/// The parameter `lifecycle`: JSON as `{"rule": [{"action": {"type": "Delete"}, "condition": {"age": 30}}]}`.
namespace kopiur::buckety::s3 {

struct lifecycle_action {
  std::string type;
};
KOPIUR_DESCRIBE(lifecycle_action, (), (type))
struct lifecycle_condition {
  std::optional<std::int64_t> age;  ///< days
  std::vector<std::string> matches_prefix;
};
KOPIUR_DESCRIBE(lifecycle_condition, (), (age, matches_prefix))
struct lifecycle_entry {
  lifecycle_action action;
  lifecycle_condition condition;
};
KOPIUR_DESCRIBE(lifecycle_entry, (), (action, condition))
/// The parameter as it is written.
struct lifecycle_document {
  std::optional<std::vector<lifecycle_entry>> rule;
};
KOPIUR_DESCRIBE(lifecycle_document, (), (rule))

/// A rule of a bucket, without its ID: what it does is its identity.
struct lifecycle_rule {
  std::string prefix;                           ///< empty: all objects
  std::optional<std::int64_t> expiration_days;  ///< deletes objects of this age
  std::optional<std::int64_t> abort_days;       ///< ends uploads of several parts that were begun so long ago
  bool enabled = true;
  auto operator<=>(lifecycle_rule const&) const = default;
};
using lifecycle_rules = std::vector<lifecycle_rule>;

/// S3 counts days in 32 bits, and takes 1000 rules a bucket and 1024 bytes of prefix.
inline constexpr std::int64_t max_age = 2'147'483'647;
inline constexpr std::size_t max_rules = 1000, max_prefix = 1024;

/// The rules that a parameter asks for; none clear the bucket's. The error is a sentence.
[[nodiscard]] std::expected<lifecycle_rules, std::string> parse_lifecycle(std::string_view text);
/// Whether both are the same rules, in any order.
bool are_same(lifecycle_rules one, lifecycle_rules other);

}  // namespace kopiur::buckety::s3
