#include "services/systems/buckety/kadm/topic_name.hpp"

#include <gtest/gtest.h>

namespace kopiur::buckety::kadm {
namespace {

TEST(TopicName, IsTaken) {
  for (auto name : {std::string("a"), std::string(249, 'a'), std::string("tenant1.Orders_v-003"), std::string("..."), std::string("_a"),
                    std::string("-"), std::string("0")})
    EXPECT_EQ(refuse_topic_name(name), std::nullopt) << name;
}

TEST(TopicName, IsRefusedWithTheRule) {
  struct row {
    std::string name, rule;
  };
  for (auto& [name, rule] : std::initializer_list<row>{{"", "needs 1 to 249"},
                                                       {std::string(250, 'a'), "needs 1 to 249"},
                                                       {".", "must not be"},
                                                       {"..", "must not be"},
                                                       {"a b", "only letters"},
                                                       {"a/b", "only letters"},
                                                       {"a:b", "only letters"},
                                                       {"ab\n", "only letters"},
                                                       {std::string("a\0b", 3), "only letters"},
                                                       {"b\xC3\xA4r", "only letters"},
                                                       {"__consumer_offsets", "begin with `__`"}}) {
    auto refused = refuse_topic_name(name);
    ASSERT_TRUE(refused) << name;
    EXPECT_TRUE(refused->contains(rule) && refused->contains("is not a valid topic name: ")) << *refused;
  }
}

}  // namespace
}  // namespace kopiur::buckety::kadm
