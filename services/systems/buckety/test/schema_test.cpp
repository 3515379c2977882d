#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "common/testing/files.hpp"
#include "proto/schema/build.hpp"
#include "services/systems/buckety/kadm/parameters.hpp"
#include "services/systems/buckety/s3/parameters.hpp"
#include "services/systems/buckety/schema/schema_files.hpp"

namespace kopiur::buckety {
namespace {

namespace fs = std::filesystem;
namespace schema = proto::schema;
fs::path const root = fs::path(KOPIUR_SOURCE_DIR) / "services/systems/buckety";

template <class T>
schema::node tree_of() {
  return schema::build(T{}, schema::purpose::Spec);
}

void expect_notes(schema::node const& node) {
  EXPECT_TRUE(node.without_note.empty()) << node.without_note.front();
  EXPECT_TRUE(node.note_without_field.empty()) << node.note_without_field.front();
  for (auto& [name, child] : node.properties) expect_notes(child);
}

TEST(DriverSchemas, AreWhatTheStructsSay) {
  constexpr auto advice = " is stale: a contract changed. Run `kopiur-buckety-schema services/systems/buckety` and look at the diff.";
  for (auto& [name, content] : schema_files()) EXPECT_TRUE(testing::read_all(root / name) == content) << name << advice;
}

TEST(DriverSchemas, AreTwoForEachDriver) {
  auto files = schema_files();
  EXPECT_EQ(files.size(), 2 * all_drivers().size());
  for (auto& driver : all_drivers()) {
    for (auto& each : fs::recursive_directory_iterator(root / driver.name / "schema"))
      if (each.is_regular_file())
        EXPECT_TRUE(files.contains(fs::relative(each.path(), root).generic_string())) << each.path() << " is made by nobody.";
    for (auto* name : {"/schema/v0.1/config.schema.json", "/schema/v0.1/parameters.schema.json"})
      EXPECT_TRUE(files.contains(std::string(driver.name) + name)) << driver.name << name;
  }
}

TEST(DriverSchemas, DescribeEveryField) {
  for (auto& node : {tree_of<s3::backend_config>(), tree_of<s3::bucket_parameters>(), tree_of<kadm::backend_config>(),
                     tree_of<kadm::topic_parameters>()})
    expect_notes(node);
}

TEST(DriverSchemas, RequireWhatTheLoaderRequires) {
  using names = std::vector<std::string>;
  EXPECT_EQ(tree_of<s3::backend_config>().required, (names{"endpoint", "accessKeyID", "secretAccessKey"}));
  EXPECT_EQ(tree_of<kadm::backend_config>().required, names{"seedBrokers"});
  EXPECT_EQ(tree_of<kadm::sasl_config>().required, (names{"mechanism", "username", "password"}));
  EXPECT_TRUE(tree_of<kadm::tls_config>().required.empty());
  EXPECT_TRUE(tree_of<s3::bucket_parameters>().required.empty() && tree_of<kadm::topic_parameters>().required.empty());
}

TEST(DriverSchemas, TakeTheSameSettingsOfATopicAsTheDriver) {
  auto parameters = json::parse(schema_files().at("kadm/schema/v0.1/parameters.schema.json"));
  ASSERT_TRUE(parameters);
  auto* patterns = parameters->find("patternProperties");
  ASSERT_TRUE(patterns && patterns->as_object()->size() == 1 && parameters->find("additionalProperties"));
  EXPECT_EQ(patterns->as_object()->front().second.text("type"), "string");
  EXPECT_FALSE(*parameters->find("additionalProperties")->as_bool()) << "other keys are refused";
  std::regex const pattern(patterns->as_object()->front().first);
  for (std::string key :
       {"config.a", "config.retention.ms", "config.a_1.", "config.", "config.A", "config.1", "config..", "config.a-b", "Config.a"})
    EXPECT_EQ(std::regex_match(key, pattern), kadm::parse_parameters({{key, ""}}).has_value()) << key;
}

}  // namespace
}  // namespace kopiur::buckety
