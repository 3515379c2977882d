#include "services/cli/core/table.hpp"

#include <gtest/gtest.h>

namespace kopiur::cli {
namespace {

TEST(Table, AlignsColumnsByCharactersAndEndsLinesWithoutSpaces) {
  table what{.columns = {"NAME", "X"}, .rows = {{"ä", "1"}, {"long-name", ""}}};
  EXPECT_EQ(render(what, false), "NAME       X\nä          1\nlong-name\n");
}

TEST(Table, WritesNoControlCharactersOfCells) {
  table what{.columns = {"N"}, .rows = {{"a\033[2Jb\n"}}};
  EXPECT_EQ(render(what, false), "N\na?[2Jb?\n");
}

TEST(Table, PaintsOnlyWhenAskedTo) {
  EXPECT_EQ(painted("x", tone::bad, false), "x");
  EXPECT_EQ(painted("x", tone::bad, true), "\033[1;31mx\033[0m");
  EXPECT_EQ(painted("x", tone::plain, true), "x");
}

}  // namespace
}  // namespace kopiur::cli
