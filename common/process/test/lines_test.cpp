#include "common/process/lines.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kopiur::process {
namespace {

std::vector<std::string> split(std::vector<std::string> const& pieces, std::size_t limit = 64) {
  std::vector<std::string> records;
  line_splitter splitter([&](std::string_view r) { records.emplace_back(r); }, limit);
  for (auto const& piece : pieces) splitter.feed(piece);
  splitter.finish();
  return records;
}

using texts = std::vector<std::string>;

TEST(LineSplitter, EndsRecordsAtLfAndCrAndDropsEmptyOnes) { EXPECT_EQ(split({"a\r b\n\r\n\nc"}), (texts{"a", " b", "c"})); }

TEST(LineSplitter, GivesTheSameWhereverTheBytesAreCut) {
  std::string const text = "one\rtwo\n\rthree four\nfive";
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    EXPECT_EQ(split({text.substr(0, cut), text.substr(cut)}), (texts{"one", "two", "three four", "five"})) << cut;
}

TEST(LineSplitter, CutsALongRecordAndKeepsTheNextWhole) {
  EXPECT_EQ(split({std::string(1000, 'x'), std::string(1000, 'x') + "\nnext"}, 10), (texts{std::string(10, 'x'), "next"}));
}

TEST(WithoutEscapes, RemovesColoursAndControlsButKeepsText) {
  EXPECT_EQ(without_escapes("\x1b[1;31mred\x1b[0m \x07plain\ttab \x1bM"), "red plain\ttab ");
  EXPECT_EQ(without_escapes("cut \x1b[3"), "cut ");
  EXPECT_EQ(without_escapes("caf\xc3\xa9"), "caf\xc3\xa9");
}

}  // namespace
}  // namespace kopiur::process
