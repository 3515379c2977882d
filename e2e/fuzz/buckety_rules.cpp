#include "e2e/fuzz/fuzz.hpp"
#include "services/systems/buckety/rules/naming.hpp"
#include "services/systems/buckety/s3/bucket_name.hpp"
#include "services/systems/buckety/s3/lifecycle.hpp"

namespace kopiur::fuzz {
namespace {

using namespace buckety;

void check_template(std::string_view pattern) {
  naming_sources sources{.name = "orders", .namespace_ = "tenant", .labels = {{"a/b", "$1"}}, .backend_defaults = {{"zone", "eu"}}};
  auto name = resolved(pattern, sources);
  if (!name) return require(name.error().contains("${") && name.error().ends_with('.'), "a refusal is a sentence with the reference");
  require(pattern.contains('$') || pattern.empty() || *name == pattern, "text without references stays");
  auto refused = s3::refuse_bucket_name(*name);
  require(refused || (name->size() <= 63 && !name->contains('$')), "a bucket name is clean");
}

void check_lifecycle(std::string_view text) {
  auto rules = s3::parse_lifecycle(text);
  if (!rules) return require(!rules.error().empty(), "a refusal says why");
  require(s3::are_same(*rules, *rules), "rules are the same as themselves");
  for (auto& each : *rules)
    require(each.expiration_days.has_value() != each.abort_days.has_value() && each.expiration_days.value_or(1) >= 1 &&
                each.abort_days.value_or(1) >= 1 && each.prefix.size() <= s3::max_prefix,
            "a rule does one thing, within bounds");
}

}  // namespace

/// The first line is a naming template, the rest the parameter `lifecycle`.
void look(std::string_view input) {
  check_template(take_line(input));
  check_lifecycle(input);
}

}  // namespace kopiur::fuzz
