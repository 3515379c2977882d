#include "common/kubernetes/definition.hpp"

#include <algorithm>

namespace kopiur::kubernetes {

namespace {

bool any_of(json::value const* list, bool (*holds)(json::value const&, std::string_view), std::string_view name) {
  auto* items = list ? list->as_array() : nullptr;
  return items && std::ranges::any_of(*items, [&](auto& each) { return holds(each, name); });
}

bool is_true(json::value const& condition, std::string_view type) {
  return condition.text("type") == type && condition.text("status") == "True";
}

bool is_served(json::value const& version, std::string_view name) {
  auto* served = version.find("served");
  return version.text("name") == name && served && served->as_bool() && *served->as_bool();
}

}  // namespace

std::string definition_name(resource const& resource) {
  auto group = resource.group_version.substr(0, resource.group_version.find('/'));
  return std::string(resource.plural) + "." + std::string(group);
}

definition read_definition(json::value const& object, resource const& resource) {
  auto version = resource.group_version.substr(resource.group_version.find('/') + 1);
  return {.uid = std::string(uid_of(object)),
          .serves = !is_terminating(object) && any_of(object.at("status.conditions"), is_true, "Established") &&
                    any_of(object.at("spec.versions"), is_served, version)};
}

}  // namespace kopiur::kubernetes
