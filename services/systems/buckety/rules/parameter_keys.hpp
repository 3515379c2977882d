#pragma once
#include "services/systems/buckety/rules/driver.hpp"

/// What drivers say about the keys of parameters.
namespace kopiur::buckety {

/// The parameters that a described struct lists, in its order.
template <json::described_struct T>
std::vector<std::string_view> keys_of() {
  std::vector<std::string_view> keys;
  json::for_each_member<T>([&](std::string const& name, auto) { keys.push_back(name); });
  return keys;
}

/// Keeps the value that a parameter was read as, or why it is refused.
template <class T, class Target>
void take(std::string const& key, std::expected<T, std::string> read, Target& target, refusals& refused) {
  if (read)
    target = std::move(*read);
  else
    refused.emplace(key, std::move(read.error()));
}
/// `unknown parameter "versionning"; did you mean `versioning`? ` and the sentence about what there is. `near` may be empty.
std::string unknown_parameter(std::string const& key, std::string_view near, std::string_view known);
/// Refuses a parameter that changed, also one that came or went. `reason` follows "is immutable: ".
void refuse_change(std::string const& key, parameters const& old, parameters const& wanted, std::string_view reason, refusals& refused);
/// The parameters of an access, for a driver that has none: those that are documented for a later version are accepted.
access_judgement judge_access_parameters(std::string_view driver, parameters const& wanted);

}  // namespace kopiur::buckety
