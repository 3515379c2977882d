#include "services/systems/buckety/config/environment.hpp"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "common/json/codec.hpp"
#include "services/systems/buckety/config/secret_text.hpp"

namespace kopiur::buckety {
namespace {

std::string read(std::string_view text) {
  static std::map<std::string, std::string> const set{{"KEY", "k1"}, {"EMPTY", ""}, {"_A9", "a"}, {"LOOP", "${KEY}$$"}};
  auto value = substituted(text, [](std::string const& name) {
    auto found = set.find(name);
    return found == set.end() ? std::nullopt : std::optional(found->second);
  });
  return value ? *value : "refused: " + value.error();
}

TEST(Substitution, ReplacesVariables) {
  EXPECT_EQ(read("${KEY}"), "k1");
  EXPECT_EQ(read("a${KEY}b${_A9}c"), "ak1bac");
  EXPECT_EQ(read("plain"), "plain");
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("${LOOP}"), "${KEY}$$") << "one pass: values are not read again";
}

TEST(Substitution, TakesTheDefaultOnlyOfAVariableThatIsUnset) {
  EXPECT_EQ(read("${KEY:-other}"), "k1");
  EXPECT_EQ(read("${NONE:-other}"), "other");
  EXPECT_EQ(read("${NONE:-}"), "");
  EXPECT_EQ(read("${EMPTY:-other}"), "") << "set but empty is set, unlike in a shell";
  EXPECT_EQ(read("${NONE:-a:-b $x}"), "a:-b $x");
  EXPECT_EQ(read("${NONE:-a$$b}"), "a$b");
}

/// The text wins over the implementation, where `a$$b` stayed as it was.
TEST(Substitution, TwoDollarsAreAlwaysOne) {
  EXPECT_EQ(read("a$$b"), "a$b");
  EXPECT_EQ(read("$${KEY}"), "${KEY}");
  EXPECT_EQ(read("$$${KEY}"), "$k1");
  EXPECT_EQ(read("$$$$"), "$$");
  EXPECT_EQ(read("a$b$"), "a$b$") << "one alone is itself";
  EXPECT_EQ(read("$KEY"), "$KEY");
}

TEST(Substitution, NamesWhatIsUndefined) { EXPECT_EQ(read("${NONE}").find("refused: undefined variable NONE: "), 0u) << read("${NONE}"); }

/// The implementation passed malformed references through: a typing error became part of a key.
TEST(Substitution, RefusesMalformedReferencesWithoutRepeatingThem) {
  for (auto* text : {"ab${1x}", "ab${}", "ab${KEY", "ab${KEY-x}", "ab${KEY:x}", "ab${ KEY}", "ab${KEY }", "ab${NONE:-${KEY}}", "ab${"}) {
    EXPECT_EQ(read(text).find("refused: malformed reference at character 3 "), 0u) << text << ": " << read(text);
    EXPECT_FALSE(read(text).contains("1x")) << "the value is a secret";
  }
}

TEST(SecretText, IsNeitherPrintedNorEncoded) {
  secret_text secret("hunter2");
  std::ostringstream out;
  out << secret;
  EXPECT_EQ(out.str(), "***");
  EXPECT_EQ(json::dump(json::encode(secret)), "\"***\"");
  EXPECT_EQ(testing::PrintToString(secret), "***");
  EXPECT_EQ(secret.reveal(), "hunter2");
}

}  // namespace
}  // namespace kopiur::buckety
