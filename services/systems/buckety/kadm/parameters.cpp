#include "services/systems/buckety/kadm/parameters.hpp"

#include <limits>

#include "common/encoding/number.hpp"
#include "common/encoding/text.hpp"
#include "services/systems/buckety/rules/parameter_keys.hpp"

namespace kopiur::buckety::kadm {
namespace {

constexpr std::string_view brokers_default = "-1";  // of `replicationFactor`

/// A count in its only spelling: no sign, no leading zero.
template <std::signed_integral T>
std::expected<T, std::string> parse_count(std::string_view text) {
  auto count = encoding::whole_number<T>(text);
  if (count && *count >= 1 && !text.starts_with('0')) return *count;
  return std::unexpected("must be a whole number from 1 to " + std::to_string(std::numeric_limits<T>::max()) +
                         ", without sign and leading zeros.");
}

std::expected<std::optional<std::int16_t>, std::string> parse_replication(std::string const& text) {
  if (text == brokers_default) return std::nullopt;
  auto count = parse_count<std::int16_t>(text);
  if (count) return *count;
  return std::unexpected(count.error() + " The only other value is -1, the default of the brokers.");
}

bool is_setting(std::string_view name) {
  auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '_'; });
}

/// The likeliest mistake is a setting without its prefix.
std::string refuse_key(std::string const& key) {
  if (key.starts_with(setting_prefix))
    return "unknown parameter \"" + key + "\"; behind `config.` stands the name of a setting of topics, as in `config.retention.ms`.";
  bool no_prefix = key.contains('.') && is_setting(key);
  auto near = no_prefix ? std::string(setting_prefix) + key : std::string(config::nearest(key, keys_of<topic_parameters>()));
  return unknown_parameter(key, near, "The driver kadm has: partitions, replicationFactor, config.SETTING.");
}

/// Kafka's client reads a value up to its first zero byte, and the topic would always differ from it.
std::expected<std::string, std::string> parse_value(std::string_view text) {
  if (text.contains('\0')) return std::unexpected("contains a zero byte. Remove it.");
  return std::string(encoding::trimmed(text));
}

}  // namespace

std::expected<wanted_topic, refusals> parse_parameters(parameters const& wanted) {
  wanted_topic topic;
  refusals refused;
  for (auto& [key, value] : wanted) {
    auto setting = key.starts_with(setting_prefix) ? key.substr(setting_prefix.size()) : "";
    if (key == "partitions")
      take(key, parse_count<std::int32_t>(value), topic.partitions, refused);
    else if (key == "replicationFactor")
      take(key, parse_replication(value), topic.replication_factor, refused);
    else if (is_setting(setting))
      take(key, parse_value(value), topic.settings[setting], refused);
    else
      refused.emplace(key, refuse_key(key));
  }
  if (!refused.empty()) return std::unexpected(std::move(refused));
  return topic;
}

refusals validate_parameters(driver_config const&, parameters const& wanted) {
  auto read = parse_parameters(wanted);
  return read ? refusals{} : read.error();
}

/// Fewer partitions are accepted here: whether the topic has more is known to its brokers only.
refusals validate_update(driver_config const& config, parameters const& old, parameters const& wanted) {
  auto refused = validate_parameters(config, wanted);
  refuse_change("replicationFactor", old, wanted, "the brokers set it when the topic is created", refused);
  return refused;
}

}  // namespace kopiur::buckety::kadm
