#include "services/systems/buckety/schema/schema_files.hpp"

#include "proto/schema/build.hpp"
#include "proto/schema/emit.hpp"
#include "services/systems/buckety/kadm/parameters.hpp"
#include "services/systems/buckety/s3/parameters.hpp"

namespace kopiur::buckety {
namespace {

namespace schema = proto::schema;

/// Part of the address of the files: only a new major version changes it.
constexpr auto folder = "/schema/v0.1/";

using files = std::map<std::string, std::string>;

template <class T>
json::value schema_of(std::string const& title, std::string const& driver) {
  return schema::json_schema(title + ", driver " + driver, schema::build(T{}, schema::purpose::Spec));
}

template <class Config, class Parameters>
void add_driver(std::string const& driver, json::value patterns, files& all) {
  auto parameters = schema_of<Parameters>("Buckety parameters", driver);
  if (!patterns.is_null()) parameters.set("patternProperties", std::move(patterns));
  all.emplace(driver + folder + "config.schema.json", json::pretty(schema_of<Config>("Buckety backend", driver)) + "\n");
  all.emplace(driver + folder + "parameters.schema.json", json::pretty(parameters) + "\n");
}

/// The keys of parameters that are another program's.
json::value settings_of_topics() {
  auto text = "A setting of the topic by Kafka's name, as in `config.retention.ms`. Blanks around the value do not count.";
  return json::object{{std::string(kadm::setting_pattern), json::object{{"description", text}, {"type", "string"}}}};
}

}  // namespace

std::map<std::string, std::string> schema_files() {
  files all;
  add_driver<s3::backend_config, s3::bucket_parameters>("s3", nullptr, all);
  add_driver<kadm::backend_config, kadm::topic_parameters>("kadm", settings_of_topics(), all);
  return all;
}

}  // namespace kopiur::buckety
