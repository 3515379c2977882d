#include <gtest/gtest.h>

#include <filesystem>

#include "common/config/manifest.hpp"
#include "common/testing/files.hpp"
#include "proto/schema/files.hpp"

namespace kopiur::proto::schema {
namespace {

namespace fs = std::filesystem;
fs::path const root = fs::path(KOPIUR_SOURCE_DIR) / "proto/schema/generated";

TEST(Generated, IsWhatTheStructsSay) {
  constexpr auto advice = " is stale: a contract changed. Run `kopiur-schema proto/schema/generated` and look at the diff.";
  auto files = generate();
  for (auto& [name, content] : files) {
    ASSERT_TRUE(fs::exists(root / name)) << name << advice;
    EXPECT_TRUE(testing::read_all(root / name) == content) << name << advice;
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
