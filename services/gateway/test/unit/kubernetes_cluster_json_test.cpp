#include "services/gateway/adapters/kubernetes/cluster_json.hpp"

#include <gtest/gtest.h>

#include "proto/kopiur/names.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

std::string deep(int levels) {
  return std::string(static_cast<std::size_t>(levels), '[') + std::string(static_cast<std::size_t>(levels), ']');
}

/// An unreadable list would stop the mirror of the whole cluster.
TEST(ClusterJson, ADeepObjectDoesNotKeepTheOthersOfItsListFromBeingRead) {
  auto read = read_cluster_json(R"({"items":[{"a":1},{"spec":)" + deep(9'000) + R"(},{"b":2}]})", {});
  ASSERT_TRUE(read) << read.error().text();
  auto& items = *read->find("items")->as_array();
  ASSERT_EQ(items.size(), 3u);
  EXPECT_FALSE(items[0].find(proto::too_deep));
  EXPECT_TRUE(items[1].find(proto::too_deep));
  EXPECT_FALSE(items[2].find(proto::too_deep));
}

TEST(ClusterJson, ADeepObjectOfAWatchOrOfItselfIsMarked) {
  auto event = read_cluster_json(R"({"type":"ADDED","object":{"spec":)" + deep(200) + "}}", {});
  ASSERT_TRUE(event);
  EXPECT_TRUE(event->find("object")->find(proto::too_deep));
  auto alone = read_cluster_json(R"({"kind":"Backup","spec":)" + deep(200) + "}", {});
  ASSERT_TRUE(alone);
  EXPECT_TRUE(alone->find(proto::too_deep));
  EXPECT_FALSE(read_cluster_json("{", {})) << "text that is not JSON";
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
