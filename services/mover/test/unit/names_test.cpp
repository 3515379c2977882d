#include "services/mover/core/names.hpp"

#include <gtest/gtest.h>

namespace kopiur::mover {
namespace {

using texts = std::vector<std::string>;
constexpr char const* odd = "\xEF\xBF\xBD";  // U+FFFD

/// Adds these names in the root; the root also contains `there`.
odd_names met(texts const& names, texts const& there = {}, std::string_view folder = "") {
  odd_names found;
  for (auto& name : names)
    found.meet(folder, name, [&](std::string const& other) { return std::ranges::find(there, other) != there.end(); });
  return found;
}

TEST(Names, AreReadAsGoReadsThem) {
  for (auto* sound : {"plain", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xEF\xBF\xBD"}) EXPECT_EQ(as_kopia_reads(sound), sound);
  EXPECT_EQ(as_kopia_reads("caf\xE9"), "caf" + std::string(odd));
  EXPECT_EQ(as_kopia_reads("\xE2\x82"), std::string(odd) + odd) << "cut: each byte is one";
  EXPECT_EQ(as_kopia_reads("\xC0\xAF"), std::string(odd) + odd) << "overlong";
  EXPECT_EQ(as_kopia_reads("\xED\xA0\x80"), std::string(odd) + odd + odd) << "a surrogate";
  EXPECT_EQ(as_kopia_reads("\xF4\x90\x80\x80"), std::string(odd) + odd + odd + odd) << "above U+10FFFF";
  EXPECT_EQ(as_kopia_reads("note.kopia-entry"), "note");
  EXPECT_EQ(as_kopia_reads(".kopia-entry"), ".kopia-entry") << "nothing is left of it";
}

TEST(Names, ThatKopiaKeepsAreNotFound) { EXPECT_TRUE(met({"plain", "\xC3\xA4", "x.kopia-entry.txt", ".kopia-entry"}).empty()); }

TEST(Names, ThatAreNoUtf8AreTheUsersFiles) {
  auto found = met({"caf\xE9", "caf\xEA"});
  EXPECT_EQ(found.lost(), (texts{"caf\xE9", "caf\xEA"}));
  EXPECT_EQ(found.patterns(), texts{"/caf" + std::string(odd)}) << "one pattern fits both";
  EXPECT_EQ(report_of(found), (proto::left_out{.files = 2, .examples = {"caf\\xE9", "caf\\xEA"}}));
  EXPECT_TRUE(lost_text(found.lost()).contains("caf\\xE9, caf\\xEA."));
}

TEST(Names, OfPlaceholdersAreNobodysFilesUnlessTheyHideOne) {
  auto found = met({"note.kopia-entry"});
  EXPECT_TRUE(found.lost().empty());
  EXPECT_EQ(found.patterns(), texts{"/note"});
  EXPECT_EQ(report_of(found), (proto::left_out{.placeholders = 1, .examples = {"note.kopia-entry"}}));
  EXPECT_EQ(met({"note.kopia-entry"}, {"note"}).lost(), texts{"note"}) << "kopia cannot tell them apart";
  EXPECT_EQ(met({"caf\xE9"}, {"caf" + std::string(odd)}).lost().size(), 2U) << "nor these";
}

TEST(Names, OfRulesThatCannotBeReadAreNobodysFiles) {
  odd_names found;
  found.meet_broken_rules("folder", ".kopiaignore");
  EXPECT_TRUE(found.has_broken_rules());
  EXPECT_TRUE(found.lost().empty());
  EXPECT_TRUE(found.patterns().empty());
  EXPECT_EQ(report_of(found).rules, 1);
}

TEST(Names, AreLeftOutByPatternsThatFitThemAlone) {
  EXPECT_EQ(exact_pattern("a*b?[c]! d\\e"), R"(/a\*b\?\[c\]\!\ d\\e)");
  EXPECT_EQ(met({"x\xFF"}, {}, "a/b*").patterns(), texts{R"(/a/b\*/x)" + std::string(odd)});
}

TEST(Names, BelowAFolderThatIsLeftOutAreNotFound) {
  auto found = met({"d\xE9"});
  found.meet("d\xE9", "in\xE9", [](auto&) { return false; });
  EXPECT_EQ(found.lost(), texts{"d\xE9"});
}

TEST(Names, ByTheThousandInAFolderAreGivenUpForTheFolder) {
  odd_names found;
  auto none = [](auto&) { return false; };
  found.meet("few", "x\xFF", none);
  for (int i = 0; i < 2000; ++i) found.meet("full/of", "x\xFF" + std::to_string(i), none);
  EXPECT_EQ(found.lost(), (texts{"few/x\xFF", "full/of"}));
}

TEST(OddNames, OurOwnIsNoLossOfTheUsers) {
  odd_names found;
  found.meet_own("data");
  found.meet_own("srv/repo 1");
  EXPECT_EQ(found.patterns(), (std::vector<std::string>{"/data", "/srv/repo\\ 1"}));
  EXPECT_TRUE(found.lost().empty());
  EXPECT_EQ(report_of(found), (proto::left_out{.own = 2, .examples = {"data", "srv/repo 1"}}));
}

}  // namespace
}  // namespace kopiur::mover
