#pragma once
#include <string>
#include <vector>

#include "services/cli/shell/commands.hpp"

namespace kopiur::cli {

/// What the options of all verbs come to.
struct settings {
  std::string data = "kopiur-data";
  std::string manifests;
  std::string output = "table";  ///< table, json, yaml
  std::string ns = "default";
  bool all_namespaces = false;
  bool verbose = false;
};

int up_command(settings const& with);

}  // namespace kopiur::cli
