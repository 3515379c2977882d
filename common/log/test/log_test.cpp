#include "common/log/log.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "common/testing/folder.hpp"
#include "common/time/instant.hpp"

namespace kopiur::log {
namespace {

class journal {
 public:
  explicit journal(level least) { start({.least = least, .file = file()}); }
  ~journal() { start({.least = level::warning, .file = {}}); }
  std::string file() const { return folder_ / "journal.log"; }
  std::vector<json::value> lines() const {
    std::vector<json::value> all;
    std::ifstream in(file());
    for (std::string line; std::getline(in, line);) {
      auto read = json::parse(line);
      EXPECT_TRUE(read) << line;
      if (read) all.push_back(std::move(*read));
    }
    return all;
  }

 private:
  testing::folder folder_;
};

TEST(Log, AnEventIsOneLineOfJson) {
  journal journal(level::info);
  logger("scheduler").info("slot.fired", {{"schedule", "each-day"}, {"late", 7}, {"sources", true}});
  auto lines = journal.lines();
  ASSERT_EQ(lines.size(), 1u) << "it has reached the file when the call returns";
  EXPECT_EQ(lines[0].text("service"), "scheduler");
  EXPECT_EQ(lines[0].text("event"), "slot.fired");
  EXPECT_EQ(lines[0].text("level"), "info");
  EXPECT_EQ(lines[0].text("schedule"), "each-day");
  EXPECT_EQ(*lines[0].find("late")->as_int(), 7);
  EXPECT_EQ(*lines[0].find("sources")->as_bool(), true);
  EXPECT_TRUE(instant_from(lines[0].text("time"))) << lines[0].text("time");
}

/// Foreign text (a name, kopia's output) must neither end a line nor add a field.
TEST(Log, WhatAFieldHoldsStaysInIt) {
  journal journal(level::info);
  std::string const foreign = "a \"name\"\n{\"event\":\"forged\"}\t{} %s";
  logger("mover").warning("kopia.said", {{"text", foreign}});
  auto lines = journal.lines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].text("event"), "kopia.said");
  EXPECT_EQ(lines[0].text("text"), foreign);
}

TEST(Log, WhatIsBelowTheLevelIsNotWritten) {
  journal journal(level::warning);
  logger log("gateway");
  log.debug("a"), log.info("b"), log.warning("c"), log.error("d");
  auto lines = journal.lines();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].text("level"), "warning");
  EXPECT_EQ(lines[1].text("level"), "error");
}

TEST(Log, ANewStartAppendsToWhatIsThere) {
  journal journal(level::info);
  logger("up").info("first");
  start({.least = level::info, .file = journal.file()});
  logger("up").info("second");
  EXPECT_EQ(journal.lines().size(), 2u);
}

TEST(Log, AFileIsRotatedAndOnlyAFewAreKept) {
  testing::folder folder;
  start({.least = level::info, .file = folder / "journal.log", .max_bytes = 1000, .kept = 2});
  for (int i = 0; i < 95; ++i) logger("up").info("line", {{"number", i}});
  start({.least = level::info, .file = folder / "journal.log", .max_bytes = 1000, .kept = 2});
  logger("up").info("last");
  start({.least = level::warning, .file = {}});
  std::set<std::string> names;
  for (auto const& entry : std::filesystem::directory_iterator(folder.path())) {
    names.insert(entry.path().filename().string());
    EXPECT_LE(entry.file_size(), 1000u) << entry.path();
  }
  EXPECT_EQ(names, (std::set<std::string>{"journal.log", "journal.1.log", "journal.2.log"}));
  std::stringstream newest;
  newest << std::ifstream(folder / "journal.log").rdbuf();
  EXPECT_NE(newest.str().find("\"last\""), std::string::npos);
  EXPECT_NE(newest.str().find("\"number\":94"), std::string::npos) << "a new start goes on with the same file";
}

TEST(Log, AFileThatCannotBeOpenedIsAnErrorAtTheStart) {
  EXPECT_THROW(start({.least = level::info, .file = "/proc/no-such-folder/journal.log"}), std::exception);
}

}  // namespace
}  // namespace kopiur::log
