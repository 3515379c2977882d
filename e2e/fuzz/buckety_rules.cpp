#include "common/encoding/text.hpp"
#include "e2e/fuzz/fuzz.hpp"
#include "services/systems/buckety/kadm/parameters.hpp"
#include "services/systems/buckety/kadm/topic_name.hpp"
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
  require(refused || !kadm::refuse_topic_name(*name), "a bucket name is a topic name too");
  require(kadm::refuse_topic_name(*name) || (!name->empty() && name->size() <= 249 && name->find_first_of("$/ \n") == name->npos),
          "a topic name is clean");
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

/// A parameter of a topic in each line, `key=value`.
void check_topic(std::string_view text) {
  parameters wanted;
  for (int lines = 0; !text.empty() && lines < 20; ++lines) {
    auto line = take_line(text);
    auto sign = line.find('=');
    wanted.emplace(line.substr(0, sign), sign == line.npos ? "" : line.substr(sign + 1));
  }
  auto topic = kadm::parse_parameters(wanted);
  if (!topic) {
    for (auto& [key, why] : topic.error()) require(wanted.contains(key) && why.ends_with('.'), "a refusal is a sentence for a key");
    return;
  }
  require(topic->partitions.value_or(1) >= 1 && topic->replication_factor.value_or(1) >= 1, "counts are within bounds");
  for (auto& [key, value] : topic->settings)
    require(wanted.contains("config." + key) && encoding::trimmed(value) == value, "a setting is as written, without blanks around it");
  require(kadm::validate_update(kadm::backend_config{}, wanted, wanted).empty(), "what is valid may stay");
}

}  // namespace

/// The first line is a naming template, the rest the parameter `lifecycle`, or parameters of a topic.
void look(std::string_view input) {
  check_template(take_line(input));
  check_lifecycle(input);
  check_topic(input);
}

}  // namespace kopiur::fuzz
