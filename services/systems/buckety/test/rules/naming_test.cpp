#include "services/systems/buckety/rules/naming.hpp"

#include <gtest/gtest.h>

namespace kopiur::buckety {
namespace {

std::string name_from(std::string_view pattern) {
  naming_sources sources{.name = "orders",
                         .namespace_ = "tenant1",
                         .labels = {{"yolean.se/generation", "003"}, {"empty", ""}, {"odd}key", "odd"}, {"loop", "${name}"}},
                         .backend_defaults = {{"zone", "eu"}, {"a-b_1", "x"}}};
  auto name = resolved(pattern, sources);
  return name ? *name : "refused: " + name.error();
}

TEST(NamingTemplate, IsResolved) {
  EXPECT_EQ(name_from(""), "orders") << "without spec.name";
  EXPECT_EQ(name_from("${namespace}.${name}.v${label['yolean.se/generation']}"), "tenant1.orders.v003");
  EXPECT_EQ(name_from("${backend.zone}-${backend.a-b_1}"), "eu-x");
  EXPECT_EQ(name_from("a${label['empty']}b"), "ab") << "the rules for names decide about the result";
  EXPECT_EQ(name_from("${label['odd}key']}"), "odd") << "a key has any characters but '";
}

TEST(NamingTemplate, IsReadOnce) { EXPECT_EQ(name_from("${label['loop']}"), "${name}"); }

TEST(NamingTemplate, KeepsLiteralDollars) {
  EXPECT_EQ(name_from("a$b$"), "a$b$");
  EXPECT_EQ(name_from("$${name}"), "${name}");
  EXPECT_EQ(name_from("$$$$"), "$$");
}

TEST(NamingTemplate, NamesWhatIsMissing) {
  EXPECT_TRUE(name_from("x-${label['gone']}").contains("refused: ${label['gone']} refers to a label that the object does not have"));
  EXPECT_TRUE(name_from("${backend.region}").contains("refused: ${backend.region} refers to a default that the backend does not have"));
}

TEST(NamingTemplate, RefusesWhatItDoesNotSupport) {
  for (auto* pattern :
       {"${Name}", "${ name}", "${name }", "${}", "${uid}", "${label[\"a\"]}", "${label[a]}", "${label['empty']x}", "${label['empty'}",
        "${label['empty'x}", "${backend.}", "${backend.1a}", "${backend.zone.x}", "${backend.zone }", "${BACKEND.zone}"})
    EXPECT_TRUE(name_from(pattern).contains("is not a supported reference")) << pattern << ": " << name_from(pattern);
  for (auto* pattern : {"a${name", "${", "${label['a", "${label['a}", "${label['a'"})
    EXPECT_TRUE(name_from(pattern).contains("is unterminated")) << pattern << ": " << name_from(pattern);
}

}  // namespace
}  // namespace kopiur::buckety
