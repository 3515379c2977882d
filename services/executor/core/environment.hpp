#pragma once
#include <map>
#include <string>

namespace kopiur::executor {

using environment = std::map<std::string, std::string>;
/// A variable without blanks around it, as Secrets often have them; empty: it is not set.
std::string variable(environment const& from, std::string const& name);

}  // namespace kopiur::executor
