#include "common/kubernetes/api_json.hpp"

#include <gtest/gtest.h>

#include "common/kubernetes/object.hpp"

namespace kopiur::kubernetes {
namespace {

std::string deep(int levels) {
  return std::string(static_cast<std::size_t>(levels), '[') + std::string(static_cast<std::size_t>(levels), ']');
}

/// An unreadable list would stop a reflector.
TEST(ApiJson, ADeepObjectDoesNotKeepTheOthersOfItsListFromBeingRead) {
  auto read = read_api_json(R"({"items":[{"a":1},{"spec":)" + deep(9'000) + R"(},{"b":2}]})", {});
  ASSERT_TRUE(read) << read.error().text();
  auto& items = *read->find("items")->as_array();
  ASSERT_EQ(items.size(), 3u);
  EXPECT_FALSE(items[0].find(too_deep));
  EXPECT_TRUE(items[1].find(too_deep));
  EXPECT_FALSE(items[2].find(too_deep));
}

TEST(ApiJson, ADeepObjectOfAWatchOrOfItselfIsMarked) {
  auto event = read_api_json(R"({"type":"ADDED","object":{"spec":)" + deep(200) + "}}", {});
  ASSERT_TRUE(event);
  EXPECT_TRUE(event->find("object")->find(too_deep));
  auto alone = read_api_json(R"({"kind":"Pod","spec":)" + deep(200) + "}", {});
  ASSERT_TRUE(alone);
  EXPECT_TRUE(alone->find(too_deep));
  EXPECT_FALSE(read_api_json("{", {})) << "text that is not JSON";
}

/// They are a third of each object.
TEST(ApiJson, HasNoFieldManagers) {
  auto read = read_api_json(R"({"items":[{"metadata":{"managedFields":[{"f":1}],"name":"a","annotations":{"managedFields":"mine"}},)"
                            R"("data":{"managedFields":"value"}}]})",
                            {});
  ASSERT_TRUE(read);
  EXPECT_EQ(json::dump(*read),
            R"({"items":[{"metadata":{"name":"a","annotations":{"managedFields":"mine"}},"data":{"managedFields":"value"}}]})")
      << "and all that users wrote";
}

}  // namespace
}  // namespace kopiur::kubernetes
