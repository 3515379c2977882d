#include "services/cli/core/table.hpp"

#include <gtest/gtest.h>

namespace kopiur::cli {
namespace {

TEST(Table, AlignsColumnsByCharactersAndEndsLinesWithoutSpaces) {
  table what{.columns = {"NAME", "X"}, .rows = {{"ä", "1"}, {"long-name", ""}}};
  EXPECT_EQ(render(what, false), "NAME       X\nä          1\nlong-name\n");
}

TEST(Table, IsNothingWithoutRows) { EXPECT_EQ(render({.columns = {"NAME"}, .rows = {}}, false), ""); }

TEST(Table, AHeadingMayBeTheWidestAndARowShort) {
  table what{.columns = {"NAMESPACE", "NAME", "NOTE"}, .rows = {{"a", "b", "c"}, {"a"}, {"", "", ""}, {"", "b"}}};
  EXPECT_EQ(render(what, false),
            "NAMESPACE  NAME  NOTE\n"
            "a          b     c\n"
            "a\n"
            "\n"
            "           b\n");
}

TEST(Table, WritesNoControlCharactersOfCells) {
  table what{.columns = {"N"},
             .rows = {{"a\033[2Jb\n"},
                      {"c\x7f\x1f\td"},
                      {"e\xc2\x9b"
                       "2J\xc2\x80\xc2\x9f"}}};
  EXPECT_EQ(render(what, false), "N\na?[2Jb?\nc???d\ne?2J??\n");
}

TEST(Table, PaintsOnlyWhenAskedTo) {
  EXPECT_EQ(painted("x", tone::bad, false), "x");
  EXPECT_EQ(painted("", tone::bad, true), "");
  struct {
    tone style;
    char const* painted;
  } const cases[] = {{tone::plain, "x"},
                     {tone::good, "\033[32mx\033[0m"},
                     {tone::warn, "\033[33mx\033[0m"},
                     {tone::bad, "\033[1;31mx\033[0m"},
                     {tone::dim, "\033[2mx\033[0m"},
                     {tone::strong, "\033[1mx\033[0m"}};
  for (auto& each : cases) EXPECT_EQ(painted("x", each.style, true), each.painted);
}

TEST(Table, ColoursTakeNoRoom) {
  table what{.columns = {"A", "B"}, .rows = {{cell("xy", tone::good), "1"}, {"z", cell("2", tone::bad)}}};
  EXPECT_EQ(render(what, true),
            "\033[2mA\033[0m   \033[2mB\033[0m\n"
            "\033[32mxy\033[0m  1\n"
            "z   \033[1;31m2\033[0m\n");
}

}  // namespace
}  // namespace kopiur::cli
