#include "services/systems/buckety/s3/schema.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "proto/schema/build.hpp"
#include "services/systems/buckety/s3/parameters.hpp"

namespace kopiur::buckety::s3 {
namespace {

namespace fs = std::filesystem;
fs::path const root = fs::path(KOPIUR_SOURCE_DIR) / "services/systems/buckety/s3/schema";

std::string content_of(fs::path const& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

TEST(DriverSchema, IsWhatTheStructsSay) {
  constexpr auto advice =
      " is stale: a contract changed. Run `kopiur-buckety-schema services/systems/buckety/s3/schema` and look at the diff.";
  auto files = schema_files();
  EXPECT_EQ(files.size(), 2u);
  for (auto& [name, content] : files) EXPECT_TRUE(content_of(root / name) == content) << name << advice;
  for (auto& each : fs::recursive_directory_iterator(root))
    if (each.is_regular_file())
      EXPECT_TRUE(files.contains(fs::relative(each.path(), root).generic_string())) << each.path() << " is made by nobody.";
}

TEST(DriverSchema, DescribesEveryField) {
  for (auto& node : {schema::build(backend_config{}, schema::purpose::Spec), schema::build(bucket_parameters{}, schema::purpose::Spec)}) {
    EXPECT_TRUE(node.without_note.empty()) << node.without_note.front();
    EXPECT_TRUE(node.note_without_field.empty()) << node.note_without_field.front();
  }
}

TEST(DriverSchema, RequiresWhatTheLoaderRequires) {
  EXPECT_EQ(schema::build(backend_config{}, schema::purpose::Spec).required,
            (std::vector<std::string>{"endpoint", "accessKeyID", "secretAccessKey"}));
  EXPECT_TRUE(schema::build(bucket_parameters{}, schema::purpose::Spec).required.empty());
}

}  // namespace
}  // namespace kopiur::buckety::s3
