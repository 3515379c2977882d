#pragma once
#include <map>
#include <string>

namespace kopiur::buckety {

/// The JSON Schemas of all drivers for editors, by their path below `services/systems/buckety/`.
std::map<std::string, std::string> schema_files();

}  // namespace kopiur::buckety
