#include "services/mover/core/tree.hpp"

#include "services/mover/core/comparison.hpp"
#include "services/mover/test/unit/golden.hpp"

namespace kopiur::mover {
namespace {

std::vector<tree_entry> entries_of(std::string_view text, std::string const& folder, std::size_t at_a_time = 7) {
  std::vector<tree_entry> found;
  folder_splitter entries([&](std::string_view each) { found.push_back(read_entry(each, folder).value()); });
  for (std::size_t index = 0; index < text.size(); index += at_a_time) entries.feed(text.substr(index, at_a_time));
  EXPECT_TRUE(entries.whole()) << text;
  return found;
}

TEST(Tree, ReadsAFolderAsKopiaGivesItHoweverItArrives) {
  for (std::size_t at_a_time : {1U, 7U, 100'000U}) {
    auto found = entries_of(golden("show-folder.json"), "top", at_a_time);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].path, "top/folder");
    EXPECT_EQ(found[0].kind, entry_kind::Folder);
    EXPECT_EQ(found[0].object, "k958ab15b0cb367ed5f7a33ffbb77eff7");
    EXPECT_EQ(found[1].kind, entry_kind::File);
    EXPECT_EQ(found[1].size_bytes, 6);
    EXPECT_EQ(found[1].has.mode, 04711) << "setuid is far above the nine bits, as in Go";
    EXPECT_EQ(to_text(found[1].modified), "2026-11-21T19:41:12.431Z");
    EXPECT_EQ(found[2].kind, entry_kind::Link);
  }
}

TEST(Tree, ReadsOwnersAndEveryNameAndMode) {
  auto found = entries_of(
      R"({"stream":"kopia:directory","entries":[{"name":"a\"entries\":[\n\\","type":"f","mode":"024001755","uid":7,"gid":8,"obj":"x"},)"
      R"({"name":"p","type":"?","mode":"0600"}],"summary":{"size":1,"errors":[{"path":"x"}]}})",
      "");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].path, "a\"entries\":[\n\\");
  EXPECT_EQ(found[0].has, (attributes{.uid = 7, .gid = 8, .mode = 03755}));
  EXPECT_EQ(found[1].kind, entry_kind::Other);
  EXPECT_TRUE(entries_of(R"({"stream":"kopia:directory","summary":{"size":0,"files":0,"symlinks":0,"dirs":1}})", "").empty());
}

TEST(Tree, TakesNoNameThatLeadsElsewhere) {
  for (auto* name : {"", ".", "..", "../x", "a/b", "/", "a\\u0000b"})
    EXPECT_FALSE(read_entry(std::string(R"({"name":")") + name + R"(","type":"f","mode":"0644"})", "top")) << name;
  EXPECT_TRUE(read_entry(R"({"name":"..x","type":"f","mode":"0644"})", "top"));
}

TEST(Tree, KnowsWhatIsNoWholeFolder) {
  auto whole = [](std::string_view text) {
    folder_splitter entries([](std::string_view) {});
    entries.feed(text);
    return entries.whole();
  };
  EXPECT_FALSE(whole(""));
  EXPECT_FALSE(whole("a file's bytes"));
  EXPECT_FALSE(whole(R"({"stream":"kopia:directory","entries":[{"name":"a")"));
  EXPECT_FALSE(whole(R"({"entries":[]})"));
}

tree_entry file_of(attributes has) { return {.path = "a", .kind = entry_kind::File, .has = has, .modified = {}, .object = {}}; }

TEST(Ownership, IsLostWithOwnerGroupOrModeAndNotWhereItIsNotAskedFor) {
  attributes has{.uid = 1000, .gid = 1001, .mode = 0640};
  EXPECT_EQ(lost_attributes(file_of(has), has, {}), "");
  EXPECT_EQ(lost_attributes(file_of(has), {.uid = 65532, .gid = 1001, .mode = 0640}, {}), "1000:1001 0640 -> 65532:1001 0640");
  EXPECT_EQ(lost_attributes(file_of(has), {.uid = 1000, .gid = 1, .mode = 0640}, {}), "1000:1001 0640 -> 1000:1 0640");
  EXPECT_EQ(lost_attributes(file_of({.mode = 04755}), {.mode = 0755}, {}), "0:0 4755 -> 0:0 0755");
  EXPECT_EQ(lost_attributes(file_of(has), {.uid = 5, .gid = 5, .mode = 0640}, {.skip_owners = true}), "");
  EXPECT_EQ(lost_attributes(file_of(has), {.uid = 1000, .gid = 1001, .mode = 0600}, {.skip_permissions = true}), "");
  auto link = file_of(has);
  link.kind = entry_kind::Link;
  EXPECT_EQ(lost_attributes(link, {.uid = 1000, .gid = 1001, .mode = 0777}, {}), "") << "a link's mode means nothing";
}

TEST(Ownership, IsAttainableForRootAndForTheOwnerInHisGroups) {
  attributes wanted{.uid = 1000, .gid = 2000, .mode = 0644};
  EXPECT_EQ(attainable(wanted, {.may_chown = true}), wanted);
  EXPECT_EQ(attainable(wanted, {.uid = 1000, .gid = 1, .groups = {2000}}), wanted);
  EXPECT_EQ(attainable(wanted, {.uid = 1000, .gid = 1}), (attributes{.uid = 1000, .gid = 1, .mode = 0644}));
  EXPECT_EQ(attainable(wanted, {.uid = 7, .gid = 2000}), (attributes{.uid = 7, .gid = 2000, .mode = 0644}));
}

TEST(Ownership, CountsAllAndNamesThree) {
  ownership_count count;
  for (int i = 0; i < 5; ++i) {
    auto entry = file_of({});
    entry.path = i == 0 ? "" : std::string(static_cast<std::size_t>(i) * 100, 'x');
    count.add(entry, i == 1 ? "" : "0:0 0644 -> 1:1 0644");
  }
  EXPECT_EQ(count.report().entries, 5);
  EXPECT_EQ(count.report().lost, 4);
  ASSERT_EQ(count.report().examples.size(), 3U);
  EXPECT_EQ(count.report().examples[0], ". (0:0 0644 -> 1:1 0644)");
  EXPECT_EQ(count.report().examples[1], std::string(80, 'x') + "... (0:0 0644 -> 1:1 0644)");
  EXPECT_TRUE(sentence_of(count.report()).starts_with("4 of 5 entries: . (0:0 0644 -> 1:1 0644), xxx"));
}

TEST(Target, FitsOnlyNothingOrTheSameKind) {
  using enum entry_kind;
  for (auto there : {Nothing, Folder, File, Link, Other})
    for (auto entry : {Folder, File, Link}) EXPECT_EQ(fits(there, entry), there == Nothing || there == entry);
}

TEST(Target, LeavesLostAndFoundToTheFileSystem) {
  EXPECT_TRUE(is_file_systems_own("lost+found"));
  EXPECT_TRUE(is_file_systems_own("lost+found/x"));
  EXPECT_FALSE(is_file_systems_own("lost+found2"));
  EXPECT_FALSE(is_file_systems_own("a/lost+found"));
}

}  // namespace
}  // namespace kopiur::mover
