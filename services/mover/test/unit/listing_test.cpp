#include "services/mover/core/listing.hpp"

#include <sstream>

#include "services/mover/test/unit/golden.hpp"

namespace kopiur::mover {
namespace {

TEST(Listing, IsReadAsKopiaPrintsIt) {
  std::istringstream lines(golden("ls.txt"));
  std::map<std::string, entry_kind> found;
  for (std::string line; std::getline(lines, line);) {
    auto entry = read_listing(line);
    ASSERT_TRUE(entry) << line;
    found[entry->path] = entry->kind;
  }
  EXPECT_EQ(found,
            (std::map<std::string, entry_kind>{
                {"a", entry_kind::File}, {"folder", entry_kind::Folder}, {"folder/b", entry_kind::File}, {"link", entry_kind::Link}}));
}

TEST(Listing, KeepsBlanksOfNamesAndReadsEveryMode) {
  std::string const object = " kbed248411891f7fa5775b17cf809172e ";  // padded to 34, one blank
  EXPECT_EQ(read_listing("drwxr-xr-x            2 2026-11-21 18:48:32 UTC" + object + "   two blanks  /")->path, "  two blanks  ");
  EXPECT_EQ(read_listing("urwx--x--x            2 2026-11-21 18:48:32 UTC f9a4409c2f0d41146d885b6ce553b4e6   a")->kind, entry_kind::File);
  EXPECT_EQ(read_listing("dtrwxrwxrwx 123456789012345 2026-11-21 18:48:32 UTC" + object + " tmp/")->kind, entry_kind::Folder);
  EXPECT_EQ(read_listing("-rw-r--r--            2 2026-11-21 18:48:32 UTC Ikbed248411891f7fa5775b17cf809172e1234 big")->path, "big");
}

TEST(Listing, RefusesPiecesOfNamesWithLineBreaks) {
  std::string const object = " kbed248411891f7fa5775b17cf809172e ";
  for (std::string text :
       {std::string(), std::string("der/"), std::string("rest of a name"), "drwxr-xr-x 2 2026-11-21 18:48:32 UTC" + object + " fol",
        "-rw-r--r-- 2 2026-11-21 18:48:32 UTC" + object + " x/", "drwxr-xr-x 2 2026-11-21 18:48:32 UTC" + object + " /"})
    EXPECT_FALSE(read_listing(text)) << text;
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
