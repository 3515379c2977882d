#include "services/systems/systems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "proto/kinds.hpp"

namespace kopiur {
namespace {

TEST(Systems, OwnEachKindOnce) {
  std::set<std::string_view> names;
  for (auto* each : systems()) EXPECT_TRUE(names.insert(each->name).second) << each->name;
  for (auto& kind : proto::infos_of(proto::own_kinds{})) EXPECT_TRUE(names.contains(kind.system)) << kind.kind;
}

/// A run's order contains only the plan's name, so names must be unique over all systems.
TEST(Systems, HavePlansOfTheirOwnNames) {
  std::set<std::string_view> names;
  for (auto* system : systems())
    for (auto* plan : system->plans) {
      EXPECT_TRUE(names.insert(plan->name).second) << plan->name;
      EXPECT_EQ(find_plan(plan->name), plan);
    }
  EXPECT_EQ(find_plan("no-such-plan"), nullptr);
}

}  // namespace
}  // namespace kopiur
