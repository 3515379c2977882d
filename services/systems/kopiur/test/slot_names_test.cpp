#include "services/systems/kopiur/rules/slot_names.hpp"

#include <gtest/gtest.h>

#include <set>

#include "services/systems/kopiur/rules/run_ids.hpp"

using namespace kopiur;
using namespace kopiur::rules;

namespace {

instant const slot = instant_from("2026-11-21T06:00:00Z").value();

TEST(Names, AreWhatTheyWereForEver) {
  EXPECT_EQ(backup_name("nightly", slot, "/pvc/data"), "nightly-20261121-0600-f83685");
  EXPECT_EQ(backup_name("nightly", slot + std::chrono::milliseconds(7999), "/pvc/data"), "nightly-20261121-060007-f83685");
  EXPECT_EQ(group_name("nightly", slot), "nightly-20261121-0600");
}

TEST(Names, FitWhateverTheScheduleIsCalled) {
  std::set<std::string> seen;
  for (std::size_t length = 2; length <= 253; ++length)
    for (char filler : {'a', '.', '-'}) {
      std::string schedule = "s" + std::string(length - 1, filler) + "z";
      auto name = backup_name(schedule, slot, "/pvc/data");
      EXPECT_LE(name.size(), 63u);
      EXPECT_TRUE(seen.insert(name).second) << name;
      EXPECT_EQ(name.find(".-"), std::string::npos) << name;
      EXPECT_LE(group_name(schedule, slot).size(), 63u);
    }
}

TEST(Names, DifferBySlotSourceAndSchedule) {
  std::set<std::string> names, runs;
  for (int s = 0; s < 20; ++s)
    for (int minute = 0; minute < 20; ++minute)
      for (int source = 0; source < 20; ++source) {
        auto time = slot + std::chrono::minutes(minute);
        auto schedule = std::string(60, 'x') + std::to_string(s), path = "/pvc/" + std::to_string(source);
        names.insert(backup_name(schedule, time, path));
        runs.insert(rules::slot_run("ns", schedule, time, path));
      }
  EXPECT_EQ(names.size(), 8000u);
  EXPECT_EQ(runs.size(), 8000u);
}

TEST(BackupName, BeginsAsAllNamesOfItsSchedule) {
  for (std::string_view schedule :
       {"s", "nightly.db", "a-schedule-of-fifty-three-characters-with-all-its-words",
        "a-schedule-of-fifty-four-characters-with-all-its-words.", "a-schedule-of-fifty-five-characters-with-all-its-words.x",
        "a-schedule-whose-name-is-so-long-that-nothing-else-has-room-xx"})
    EXPECT_TRUE(
        backup_name(schedule, instant_from("2026-11-21T06:00:07Z").value(), "/pvc/data").starts_with(backup_name_beginning(schedule)))
        << schedule;
  EXPECT_EQ(backup_name_beginning("s1"), "s1-") << "not those of s10";
}

}  // namespace
