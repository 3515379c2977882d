#include "services/systems/buckety/rules/parameter_keys.hpp"

#include <gtest/gtest.h>

namespace kopiur::buckety {
namespace {

TEST(AccessParameters, AreRefusedByEachDriverUnlessTheyAreDocumented) {
  for (auto& driver : all_drivers()) {
    auto judged = driver.validate_access_parameters({{"bogus", "x"}, {"consumerGroupPrefix", "tenant1-"}});
    EXPECT_EQ(judged.not_scoped, std::vector<std::string>{"consumerGroupPrefix"});
    EXPECT_EQ(text_of(judged.refused), "bogus: unknown parameter \"bogus\": an access with the driver " + std::string(driver.name) +
                                           " has no parameters. Remove it.");
  }
}

TEST(AnUnknownParameter, IsNamedWithTheNearestKnownOne) {
  EXPECT_EQ(unknown_parameter("a", "", "There is: b."), "unknown parameter \"a\"; There is: b.");
  EXPECT_EQ(unknown_parameter("a", "b", "There is: b."), "unknown parameter \"a\"; did you mean `b`? There is: b.");
}

TEST(AParameterThatCannotChange, NeitherComesNorGoes) {
  auto says = [](parameters const& old, parameters const& wanted) {
    refusals refused{{"a", "is wrong"}};
    refuse_change("a", old, wanted, "so it is", refused);
    return text_of(refused);
  };
  constexpr auto refused = "a: a is immutable: so it is. Restore its value.";
  EXPECT_EQ(says({{"a", "1"}}, {{"a", "1"}}), "a: is wrong") << "an earlier refusal stays";
  EXPECT_EQ(says({{"a", "1"}}, {{"a", "01"}}), refused) << "compared as text";
  EXPECT_EQ(says({}, {{"a", "1"}}), refused);
  EXPECT_EQ(says({{"a", "1"}}, {}), refused);
}

}  // namespace
}  // namespace kopiur::buckety
