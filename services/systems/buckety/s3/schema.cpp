#include "services/systems/buckety/s3/schema.hpp"

#include "proto/schema/build.hpp"
#include "proto/schema/emit.hpp"
#include "services/systems/buckety/s3/parameters.hpp"

namespace kopiur::buckety::s3 {
namespace {

/// Part of the address of the files: only a new major version changes it.
constexpr auto folder = "v0.1/";

template <class T>
std::string schema_of(std::string title) {
  return json::pretty(schema::json_schema(std::move(title), schema::build(T{}, schema::purpose::Spec))) + "\n";
}

}  // namespace

std::map<std::string, std::string> schema_files() {
  return {{std::string(folder) + "config.schema.json", schema_of<backend_config>("Buckety backend, driver s3")},
          {std::string(folder) + "parameters.schema.json", schema_of<bucket_parameters>("Buckety parameters, driver s3")}};
}

}  // namespace kopiur::buckety::s3
