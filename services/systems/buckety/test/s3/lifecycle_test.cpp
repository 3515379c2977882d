#include "services/systems/buckety/s3/lifecycle.hpp"

#include <gtest/gtest.h>

namespace kopiur::buckety::s3 {
namespace {

std::string refusal(std::string_view text) {
  auto rules = parse_lifecycle(text);
  return rules ? "accepted" : rules.error();
}

/// A document of one rule.
std::string one_rule(std::string const& type, std::string const& condition) {
  return R"({"rule":[{"action":{"type":")" + type + R"("},"condition":)" + condition + "}]}";
}

TEST(Lifecycle, IsReadAsRules) {
  auto rules = parse_lifecycle(R"({"rule": [{"action": {"type": "Delete"}, "condition": {"age": 30, "matchesPrefix": ["tmp/"]}},)"
                               "\n\t"
                               R"({"action": {"type": "AbortIncompleteMultipartUpload"}, "condition": {"age": 7}}]} )");
  ASSERT_TRUE(rules) << rules.error();
  EXPECT_EQ(*rules, (lifecycle_rules{{.prefix = "tmp/", .expiration_days = 30}, {.prefix = "", .abort_days = 7}}));
  EXPECT_EQ(parse_lifecycle(one_rule("Delete", R"({"age":1,"matchesPrefix":[""]})")),
            (lifecycle_rules{{.prefix = "", .expiration_days = 1}}));
  EXPECT_EQ(refusal(one_rule("Delete", R"({"age":2147483647})")), "accepted");
}

TEST(Lifecycle, IsClearedByAnEmptyListOnly) {
  EXPECT_EQ(parse_lifecycle(R"({"rule":[]})"), lifecycle_rules{});
  EXPECT_TRUE(refusal("{}").contains("rule: is missing"));
  EXPECT_TRUE(refusal(R"({"rule":null})").contains("rule: is missing"));
}

/// Bug 5.3(8): the decoder stopped behind the first document.
TEST(Lifecycle, HasNothingBehindIt) {
  for (auto* text : {R"({"rule":[]} x)", R"({"rule":[]}{"rule":[]})", R"({"rule":[]}])", R"({"rule":[]},)", "", " ", "[]", "null", "7"})
    EXPECT_NE(refusal(text), "accepted") << text;
}

TEST(Lifecycle, IsStrict) {
  struct row {
    std::string text, expected;
  };
  for (auto& [text, expected] : std::initializer_list<row>{
           {R"({"rules":[]})", "rules: unknown field \"rules\"; did you mean `rule`?"},
           {R"({"Rule":[]})", "unknown field \"Rule\""},
           {one_rule("Delete", R"({"age":1,"isLive":true})"), "rule[0].condition.isLive: unknown field"},
           {R"({"rule":[{"action":{"type":"Delete","storageClass":"X"},"condition":{"age":1}}]})", "storageClass: unknown field"},
           {R"({"rule":[],"rule":[]})", "two members \"rule\""},
           {one_rule("Delete", R"({"age":1,"age":2})"), "two members \"age\""},
           {one_rule("SetStorageClass", R"({"age":1})"), "rule[0].action.type: must be Delete or"},
           {one_rule("delete", R"({"age":1})"), "rule[0].action.type: must be Delete or"},
           {one_rule("Delete", "{}"), "rule[0].condition.age: is missing"},
           {one_rule("Delete", R"({"age":0})"), "rule[0].condition.age: must be from 1"},
           {one_rule("Delete", R"({"age":-1})"), "rule[0].condition.age: must be from 1"},
           {one_rule("Delete", R"({"age":2147483648})"), "rule[0].condition.age: must be from 1"},
           {one_rule("Delete", R"({"age":1e30})"), "rule[0].condition.age: must be a whole number"},
           {one_rule("Delete", R"({"age":1.5})"), "rule[0].condition.age: must be a whole number"},
           {one_rule("Delete", R"({"age":"30"})"), "rule[0].condition.age: must be a whole number"},
           {one_rule("Delete", R"({"age":1,"matchesPrefix":["a","b"]})"), "rule[0].condition.matchesPrefix: S3 takes one prefix a rule"},
           {one_rule("Delete", R"({"age":1,"matchesPrefix":"a"})"), "rule[0].condition.matchesPrefix: must be a list"},
           {one_rule("Delete", R"({"age":1,"matchesPrefix":["\u0001"]})"), "control character"},
           {R"({"rule":{}})", "rule: must be a list"}})
    EXPECT_TRUE(refusal(text).contains(expected)) << text << "\nsays: " << refusal(text);
  EXPECT_TRUE(refusal(one_rule("Delete", R"({"age":1,"matchesPrefix":[")" + std::string(1025, 'a') + R"("]})")).contains("1024 bytes"));
}

TEST(Lifecycle, IsTheSameInAnyOrder) {
  lifecycle_rule one{.prefix = "a", .expiration_days = 1}, other{.prefix = "b", .abort_days = 2};
  EXPECT_TRUE(are_same({one, other}, {other, one}));
  EXPECT_TRUE(are_same({}, {}));
  EXPECT_FALSE(are_same({one, one}, {one})) << "a multiset";
  EXPECT_FALSE(are_same({one, one, other}, {one, other, other}));
  auto disabled = one;
  disabled.enabled = false;
  EXPECT_FALSE(are_same({one}, {disabled}));
}

}  // namespace
}  // namespace kopiur::buckety::s3
