#include "services/mover/core/manifest.hpp"

#include <random>

#include "services/mover/core/tree.hpp"
#include "services/mover/test/unit/golden.hpp"

namespace kopiur::mover {
namespace {

TEST(Manifest, IsReadAsKopiaPrintsIt) {
  auto read = parse_manifest(golden("snapshot-create.json"));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->row.id.size(), 32U);
  EXPECT_EQ(read->row.source, (proto::identity{"app", "prod", "/data"}));
  EXPECT_EQ(read->row.run, "run-1");
  EXPECT_EQ(read->row.description, "a \"quoted\" one");
  EXPECT_EQ(read->row.files, 2);
  EXPECT_EQ(read->row.dirs, 2);
  EXPECT_EQ(read->stats.files_new, 2);
  EXPECT_TRUE(read->complete());
  EXPECT_EQ(read->failed, 0);
  EXPECT_TRUE(read->root.starts_with("k"));
}

TEST(Manifest, SaysWhatIsMissing) {
  auto partial = parse_manifest(golden("snapshot-partial.json"));
  ASSERT_TRUE(partial) << partial.error();
  EXPECT_TRUE(partial->complete()) << "kopia calls a snapshot without unreadable files complete";
  EXPECT_EQ(partial->failed, 1);
  EXPECT_EQ(partial->first_error, "folder/b");
  auto canceled = parse_manifest(golden("snapshot-canceled.json"));
  ASSERT_TRUE(canceled) << canceled.error();
  EXPECT_EQ(canceled->incomplete, "canceled");
}

TEST(Manifest, ShownByIdIsTheSame) {
  auto printed = parse_manifest(golden("snapshot-create.json"));
  auto shown = read_shown_manifest(golden("manifest-show.txt"), printed->row.id);
  ASSERT_TRUE(shown) << shown.error();
  EXPECT_EQ(shown->row.id, printed->row.id);
  EXPECT_EQ(shown->row.source, printed->row.source);
  EXPECT_EQ(shown->root, printed->root);
}

TEST(Manifest, ThatIsNoneIsAProblem) {
  for (auto* text : {"", "{}", "[]", "null", "{\"id\":\"x\"}", "{\"id\":1,\"source\":{},\"startTime\":\"2026-01-01T00:00:00Z\"}",
                     "{\"id\":\"x\",\"source\":{},\"startTime\":\"yesterday\"}", "Enter password to open repository: "})
    EXPECT_FALSE(parse_manifest(text)) << text;
}

TEST(Manifest, CountsNoFurtherThanTheLargestNumber) {
  auto read = parse_manifest(R"({"id":"x","source":{},"startTime":"2026-01-01T00:00:00Z","rootEntry":{"summ":)"
                             R"({"numFailed":9223372036854775807,"numIgnoredErrors":1}}})");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->row.error_count, INT64_MAX);
}

std::vector<std::string> elements(std::vector<std::string_view> const& pieces, bool& whole) {
  std::vector<std::string> all;
  element_splitter splitter([&](std::string_view one) { all.emplace_back(one); }, 4096);
  for (auto piece : pieces) splitter.feed(piece);
  whole = splitter.whole();
  return all;
}

TEST(ElementSplitter, CutsAListTheSameWhereverItsBytesAreCut) {
  auto text = golden("snapshot-list.json");
  bool whole = false;
  auto once = elements({text}, whole);
  ASSERT_TRUE(whole);
  ASSERT_EQ(once.size(), 3U);
  for (auto const& one : once) EXPECT_TRUE(parse_manifest(one));
  for (std::size_t cut = 1; cut < text.size(); cut += 7) {
    EXPECT_EQ(elements({std::string_view(text).substr(0, cut), std::string_view(text).substr(cut)}, whole), once);
    EXPECT_TRUE(whole);
    elements({std::string_view(text).substr(0, cut)}, whole);
    EXPECT_FALSE(whole) << "a list that was cut off at " << cut << " passed for whole";
  }
}

TEST(ElementSplitter, TakesElementsThatFollowEachOtherAndAnEmptyList) {
  bool whole = false;
  EXPECT_EQ(elements({"{\"a\":\"}]\\\"\"}\n{\"b\":[1,{\"c\":2}]}\n"}, whole),
            (std::vector<std::string>{"{\"a\":\"}]\\\"\"}", "{\"b\":[1,{\"c\":2}]}"}));
  EXPECT_TRUE(whole);
  EXPECT_TRUE(elements({golden("snapshot-list-empty.json")}, whole).empty());
  EXPECT_TRUE(whole);
}

TEST(ElementSplitter, CallsForeignTextAndTooLongElementsBroken) {
  for (std::string const& text : std::vector<std::string>{"Enter password: [{}]", "[{}] trailing", "[[{}]]", "]", "[{}",
                                                          "{\"a\":\"" + std::string(5000, 'x') + "\"}"}) {
    bool whole = true;
    elements({text}, whole);
    EXPECT_FALSE(whole) << text.substr(0, 40);
  }
}

// Damaged input may lose elements. Parsing never crashes, and never returns a manifest without an id.
TEST(ElementSplitter, SurvivesRandomDamage) {
  auto const text = golden("snapshot-list.json");
  std::mt19937 random(20261121);
  for (int i = 0; i < 3000; ++i) {
    auto damaged = text;
    for (unsigned n = 1 + random() % 6; n > 0; --n) {
      auto index = random() % damaged.size();
      if (random() % 3 == 0)
        damaged.erase(index, random() % 50);
      else
        damaged[index] = static_cast<char>(random() % 256);
      if (damaged.empty()) damaged = " ";
    }
    bool whole = false;
    for (auto const& one : elements({damaged}, whole))
      if (auto read = parse_manifest(one)) {
        EXPECT_FALSE(read->row.id.empty());
      }
    (void)read_shown_manifest(damaged, "x");
    (void)read_listed_entry(damaged);
    (void)repository_id(damaged);
    (void)status_id(damaged);
  }
}

TEST(RepositoryId, IsTheSameInTheStorageAndInKopiasEyes) {
  auto stored = repository_id(golden("kopia.repository.json"));
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored, status_id(golden("repository-status.json")));
  EXPECT_EQ(stored->size(), 64U);
  EXPECT_FALSE(repository_id("{\"uniqueID\":\"***\"}"));
  EXPECT_FALSE(repository_id("not json"));
  EXPECT_FALSE(status_id("{}"));
}

TEST(Folder, IsReadEntryByEntry) {
  std::vector<proto::snapshot_entry> entries;
  folder_splitter folder([&](std::string_view text) { entries.push_back(read_listed_entry(text).value()); });
  folder.feed(golden("show-folder.json"));
  EXPECT_TRUE(folder.whole());
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].name, "folder");
  EXPECT_EQ(entries[0].type, "d");
  EXPECT_EQ(entries[0].size_bytes, 7);
  EXPECT_FALSE(read_listed_entry("hello"));
}

TEST(Manifest, SaysWhatItWasComparedWith) {
  auto changed = [](std::string const& text) {
    return parse_manifest(R"({"id":"a","source":{},"startTime":"2026-01-01T00:00:00Z","tags":{"tag:kopiur-baseline":")" + text + R"("}})")
        .value()
        .row.baseline;
  };
  EXPECT_EQ(changed("abc/50"), (proto::baseline{"abc", 50}));
  EXPECT_EQ(changed("abc/100")->percent, 100);
  for (auto* bad : {"", "abc", "/50", "abc/", "abc/0", "abc/101", "abc/5x", "abc/-5", "abc/99999999999999999999"})
    EXPECT_FALSE(changed(bad)) << bad;
}

}  // namespace
}  // namespace kopiur::mover
