#include "common/kubernetes/definition.hpp"

#include <gtest/gtest.h>

namespace kopiur::kubernetes {
namespace {

constexpr resource widgets{"Widget", "test.example.com/v1", "widgets"};

bool serves(std::string const& metadata, std::string const& established, std::string const& versions) {
  auto object = json::parse(R"({"metadata":{"uid":"u1")" + metadata + R"(},"spec":{"versions":)" + versions +
                            R"(},"status":{"conditions":[{"type":"Established","status":")" + established + R"("}]}})")
                    .value();
  auto read = read_definition(object, widgets);
  EXPECT_EQ(read.uid, "u1");
  return read.serves;
}

TEST(Definition, ServesAResourceUntilItIsDeletedWithIt) {
  constexpr auto two = R"([{"name":"v1beta1","served":true},{"name":"v1","served":true}])";
  EXPECT_TRUE(serves("", "True", two));
  EXPECT_FALSE(serves(R"(,"deletionTimestamp":"2026-01-01T00:00:00Z")", "True", two)) << "its objects are deleted with it";
  EXPECT_FALSE(serves("", "False", two)) << "its names are those of another";
  EXPECT_FALSE(serves("", "True", R"([{"name":"v1beta1","served":true},{"name":"v1","served":false}])"));
  EXPECT_FALSE(serves("", "True", R"([{"name":"v1beta1","served":true}])"));
  EXPECT_FALSE(read_definition(json::value::make_object(), widgets).serves);
}

TEST(Definition, IsNamedByPluralAndGroup) { EXPECT_EQ(definition_name(widgets), "widgets.test.example.com"); }

}  // namespace
}  // namespace kopiur::kubernetes
