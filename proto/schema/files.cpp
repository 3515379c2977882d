#include "proto/schema/files.hpp"

#include "common/config/manifest.hpp"
#include "proto/schema/emit.hpp"

namespace kopiur::proto::schema {

std::map<std::string, std::string> generate() {
  constexpr auto made = "# Made by kopiur-schema from the structs in proto/; do not edit.\n";
  std::map<std::string, std::string> files;
  for (auto& each : kinds()) {
    files["crds/" + std::string(each.info.plural) + ".yaml"] = made + config::to_yaml(crd(each));
    files["json/" + std::string(each.info.singular) + ".json"] = json::pretty(json_schema(each)) + "\n";
  }
  for (auto& each : bodies()) files["json/" + each.name + ".json"] = json::pretty(json_schema(each)) + "\n";
  files["asyncapi.yaml"] = made + config::to_yaml(async_api());
  files["reserved_names.yaml"] =
      "# Made by kopiur-schema from proto/kopiur/reserved_names.hpp; do not edit.\n" + config::to_yaml(reserved_names_policy());
  files["reference.md"] = reference(kinds());
  return files;
}

}  // namespace kopiur::proto::schema
