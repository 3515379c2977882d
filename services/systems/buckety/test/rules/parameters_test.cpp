#include "services/systems/buckety/rules/parameters.hpp"

#include <gtest/gtest.h>

namespace kopiur::buckety {
namespace {

TEST(Parameters, OfAnObjectWinOverThoseOfTheBackend) {
  EXPECT_EQ(merged({{"a", "1"}, {"b", "1"}}, {{"b", "2"}, {"c", "2"}}), (parameters{{"a", "1"}, {"b", "2"}, {"c", "2"}}));
  EXPECT_EQ(merged({{"a", "1"}}, {{"a", ""}}), (parameters{{"a", ""}})) << "an empty value is a value";
}

TEST(Parameters, AreTemplatesOnlyWhereTheDriverSaysSo) {
  static constexpr std::string_view templated[]{"account"};
  auto driver = *find_driver(all_drivers(), "s3");
  backend chosen{
      .name = "b", .driver = "s3", .config = {}, .defaults = {{"zone", "eu"}}, .parameters = {{"account", "${name}-${backend.zone}"}}};
  naming_sources sources{.name = "orders", .namespace_ = "tenant1", .labels = {}, .backend_defaults = chosen.defaults};
  EXPECT_EQ(effective(driver, chosen, {{"other", "${name}"}}, sources),
            (parameters{{"account", "${name}-${backend.zone}"}, {"other", "${name}"}}))
      << "s3 has none";
  driver.templated_parameters = templated;
  EXPECT_EQ(effective(driver, chosen, {{"other", "${name}"}}, sources), (parameters{{"account", "orders-eu"}, {"other", "${name}"}}));
  EXPECT_EQ(effective(driver, chosen, {{"account", ""}}, sources), (parameters{{"account", ""}}));
  auto refused = effective(driver, chosen, {{"account", "${label['x']}"}}, sources);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(text_of(refused.error()).contains("account: ${label['x']} refers to a label")) << text_of(refused.error());
}

}  // namespace
}  // namespace kopiur::buckety
