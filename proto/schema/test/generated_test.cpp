#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/config/manifest.hpp"
#include "proto/schema/files.hpp"

namespace kopiur::proto::schema {
namespace {

namespace fs = std::filesystem;
fs::path const root = fs::path(KOPIUR_SOURCE_DIR) / "proto/schema/generated";

std::string content_of(fs::path const& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

TEST(Generated, IsWhatTheStructsSay) {
  constexpr auto advice = " is stale: a contract changed. Run `kopiur-schema proto/schema/generated` and look at the diff.";
  auto files = generate();
  for (auto& [name, content] : files) {
    ASSERT_TRUE(fs::exists(root / name)) << name << advice;
    EXPECT_TRUE(content_of(root / name) == content) << name << advice;
  }
  for (auto& each : fs::recursive_directory_iterator(root))
    if (each.is_regular_file()) {
      auto name = fs::relative(each.path(), root).generic_string();
      EXPECT_TRUE(files.contains(name)) << name << " is made by nobody." << advice;
    }
}

TEST(Generated, IsReadableYaml) {
  for (auto& [name, content] : generate())
    if (name.ends_with(".yaml")) {
      auto read = config::read_manifests(content, name);
      ASSERT_TRUE(read) << read.error().text();
      EXPECT_EQ(read->size(), 1u) << name;
    }
}

}  // namespace
}  // namespace kopiur::proto::schema
