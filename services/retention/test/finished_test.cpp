#include "services/retention/core/finished.hpp"

#include <gtest/gtest.h>

namespace kopiur::retention {
namespace {

TEST(Finished, TheNewestStay) {
  std::vector<proto::object_ref> all;
  for (auto* name : {"a", "b", "c"}) all.push_back({"EtcdBackup", "ns", name, name});
  auto going = beyond(all, 2);
  ASSERT_EQ(going.size(), 1u);
  EXPECT_EQ(going[0].object.name, "a");
  EXPECT_EQ(going[0].reason, "not among the newest 2 that succeeded");
  EXPECT_TRUE(beyond(all, 3).empty());
  EXPECT_TRUE(beyond({}, 1).empty());
}

}  // namespace
}  // namespace kopiur::retention
