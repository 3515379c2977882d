#include "services/systems/buckety/rules/parameter_keys.hpp"

namespace kopiur::buckety {
namespace {

/// Parameters of an access that are documented and have no effect yet.
constexpr std::string_view future_access_keys[]{"consumerGroupPrefix"};

std::string value_at(parameters const& all, std::string const& key) {
  auto found = all.find(key);
  return found == all.end() ? "" : found->second;
}

std::string unknown(std::string const& key) { return "unknown parameter \"" + key + "\""; }

}  // namespace

std::string unknown_parameter(std::string const& key, std::string_view near, std::string_view known) {
  auto advice = near.empty() ? "; " : "; did you mean `" + std::string(near) + "`? ";
  return unknown(key) + advice + std::string(known);
}

void refuse_change(std::string const& key, parameters const& old, parameters const& wanted, std::string_view reason, refusals& refused) {
  if (value_at(old, key) == value_at(wanted, key)) return;
  refused.insert_or_assign(key, key + " is immutable: " + std::string(reason) + ". Restore its value.");
}

access_judgement judge_access_parameters(std::string_view driver, parameters const& wanted) {
  access_judgement out;
  for (auto& [key, value] : wanted) {
    if (std::ranges::find(future_access_keys, key) != std::end(future_access_keys))
      out.not_scoped.push_back(key);
    else
      out.refused.emplace(key, unknown(key) + ": an access with the driver " + std::string(driver) + " has no parameters. Remove it.");
  }
  return out;
}

}  // namespace kopiur::buckety
