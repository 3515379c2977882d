#include "common/encoding/text.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kopiur::encoding {
namespace {

std::string hidden(std::string text, std::vector<std::string> secrets) { return masked(std::move(text), secrets); }

TEST(Masked, HidesSecretsWhereverTheyAre) {
  EXPECT_EQ(hidden("password hunter2 and hunter2!", {"hunter2"}), "password *** and ***!");
  EXPECT_EQ(hidden("begin\nline one\nline two\nend", {"line one\nline two"}), "begin\n***\nend");
  EXPECT_EQ(hidden("abcdef abc", {"abc", "abcdef"}), "*** abc") << "shorter than four characters hides nothing";
}

TEST(Masked, LeavesNoRestOfALongerSecret) { EXPECT_EQ(hidden("hunter22 hunter", {"hunter", "hunter22"}), "*** ***"); }

TEST(Trimmed, TakesAwayTheEndsOnly) {
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \n "), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed("\"a b\" ", " \""), "a b");
  EXPECT_EQ(trimmed(" a\n", " "), "a\n");
}

TEST(LowerCase, ChangesLettersOfAsciiAlone) { EXPECT_EQ(lower_case("X-Ms-Date: ÄZ"), "x-ms-date: Äz"); }

TEST(Tail, BeginsAtACharacter) {
  EXPECT_EQ(tail("aéz", 2), "z");
  EXPECT_EQ(tail("aéz", 3), "éz");
  EXPECT_EQ(tail("aéz", 9), "aéz");
}

}  // namespace
}  // namespace kopiur::encoding
