#pragma once
#include <initializer_list>
#include <string>
#include <vector>

#include "common/json/value.hpp"

/// Manifests of what a plan grants to the pods of its Job (proto::pod_plan::grants).
namespace kopiur::controller {

json::value list_of(std::initializer_list<json::value> items);
/// `metadata` of an object.
json::value metadata_named(std::string const& ns, std::string const& name);

/// One verb on objects of one resource, by their names: a rule of a Role.
json::value may(char const* verb, char const* group, char const* resource, std::vector<std::string> const& names);
json::value role(std::string const& ns, std::string const& name, json::value rules);
/// Gives the Role of the same name to a service account.
json::value role_binding(std::string const& ns, std::string const& name, std::string const& account, std::string const& account_ns);

}  // namespace kopiur::controller
