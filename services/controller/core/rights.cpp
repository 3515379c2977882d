#include "services/controller/core/rights.hpp"

namespace kopiur::controller {

namespace {

constexpr char const *group = "rbac.authorization.k8s.io", *api_version = "rbac.authorization.k8s.io/v1";

}  // namespace

json::value list_of(std::initializer_list<json::value> items) { return json::array(items); }

json::value metadata_named(std::string const& ns, std::string const& name) { return json::object{{"name", name}, {"namespace", ns}}; }

json::value may(char const* verb, char const* of_group, char const* resource, std::vector<std::string> const& names) {
  auto listed = json::value::make_array();
  for (auto& each : names) listed.push(each);
  return json::object{{"apiGroups", list_of({of_group})},
                      {"resources", list_of({resource})},
                      {"resourceNames", std::move(listed)},
                      {"verbs", list_of({verb})}};
}

json::value role(std::string const& ns, std::string const& name, json::value rules) {
  return json::object{{"apiVersion", api_version}, {"kind", "Role"}, {"metadata", metadata_named(ns, name)}, {"rules", std::move(rules)}};
}

json::value role_binding(std::string const& ns, std::string const& name, std::string const& account, std::string const& account_ns) {
  json::value subject = json::object{{"kind", "ServiceAccount"}, {"name", account}, {"namespace", account_ns}};
  return json::object{{"apiVersion", api_version},
                      {"kind", "RoleBinding"},
                      {"metadata", metadata_named(ns, name)},
                      {"subjects", list_of({std::move(subject)})},
                      {"roleRef", json::object{{"apiGroup", group}, {"kind", "Role"}, {"name", name}}}};
}

}  // namespace kopiur::controller
