#include "services/systems/kopiur/rules/suspension.hpp"

#include <gtest/gtest.h>

namespace kopiur::rules {
namespace {

using namespace proto;

constexpr auto* by_hand = "by kopiur suspend at 2026-11-21T06:00:00Z: new disk";

template <class T>
T named(std::string ns, std::string name) {
  T one;
  one.metadata.namespace_ = std::move(ns), one.metadata.name = std::move(name);
  return one;
}

void suspend_by_hand(object_meta& meta, std::string note = by_hand) {
  meta.annotations[std::string(annotation::suspended)] = std::move(note);
}

template <class T>
void expect_both_ways(T one, auto by_manifest) {
  EXPECT_FALSE(is_suspended(one)) << T::info.kind;
  auto other = one;
  by_manifest(other);
  EXPECT_TRUE(is_suspended(other)) << T::info.kind;
  suspend_by_hand(one.metadata, "");
  EXPECT_FALSE(is_suspended(one)) << T::info.kind << ": an empty text suspends nothing";
  suspend_by_hand(one.metadata, "x");
  EXPECT_TRUE(is_suspended(one)) << T::info.kind << ": any other does";
}

TEST(Suspension, IsTheManifestsOrTheAnnotationsOnEachKind) {
  expect_both_ways(repository{}, [](auto& one) { one.spec.suspend = true; });
  expect_both_ways(cluster_repository{}, [](auto& one) { one.spec.common.suspend = true; });
  expect_both_ways(backup_config{}, [](auto& one) { one.spec.suspend = true; });
  expect_both_ways(backup_schedule{}, [](auto& one) { one.spec.schedule.suspend = true; });
  expect_both_ways(maintenance{}, [](auto& one) { one.spec.suspend = true; });
}

TEST(Suspension, OfARepositoryIsSeenThroughEitherKind) {
  controller::objects all;
  all.of<repository>()[{"home", "nas"}] = named<repository>("home", "nas");
  all.of<cluster_repository>()[{"", "s3"}] = named<cluster_repository>("", "s3");
  for_each_repository(all, [](any_repository const& one) { EXPECT_FALSE(is_suspended(one)); });
  all.of<repository>().begin()->second.spec.suspend = true;
  suspend_by_hand(all.of<cluster_repository>().begin()->second.metadata);
  for_each_repository(all, [](any_repository const& one) { EXPECT_TRUE(is_suspended(one)); });
}

TEST(Suspension, IsFoundByKindAndName) {
  controller::objects all;
  auto keeper = named<maintenance>("home", "keep");
  suspend_by_hand(keeper.metadata);
  all.of<maintenance>()[{"home", "keep"}] = keeper;
  auto found = find_suspension(all, {"Maintenance", "home", "keep", ""});
  ASSERT_TRUE(found);
  EXPECT_TRUE(holds(*found));
  EXPECT_EQ(found->by_hand, by_hand);
  EXPECT_FALSE(find_suspension(all, {"Maintenance", "home", "other", ""}));
  EXPECT_FALSE(find_suspension(all, {"Backup", "home", "keep", ""}));
  all.of<repository>()[{"home", "r"}], all.of<cluster_repository>()[{"", "r"}], all.of<backup_config>()[{"home", "r"}],
      all.of<backup_schedule>()[{"home", "r"}];
  all.of<maintenance>()[{"home", "r"}];
  for (auto& kind : controller::names_of<suspendable_kinds>())
    EXPECT_TRUE(find_suspension(all, {std::string(kind), kind == "ClusterRepository" ? "" : "home", "r", ""})) << kind;
}

TEST(Suspension, SaysWhatEndsIt) {
  auto photos = named<backup_config>("home", "photos");
  photos.spec.suspend = true;
  EXPECT_EQ(suspended_text(suspension_of(photos)), "BackupConfig photos is suspended; set spec.suspend to false.");
  suspend_by_hand(photos.metadata, "yes");
  EXPECT_EQ(suspended_text(suspension_of(photos)),
            "BackupConfig photos is suspended (yes); set spec.suspend to false and run: kopiur resume BackupConfig photos -n home");
  auto shared = named<cluster_repository>("", "shared");
  suspend_by_hand(shared.metadata);
  EXPECT_EQ(suspended_text(suspension_of(shared)),
            "ClusterRepository shared is suspended (by kopiur suspend at 2026-11-21T06:00:00Z: new disk); run: kopiur resume "
            "ClusterRepository shared");
  auto nightly = named<backup_schedule>("home", "nightly");
  nightly.spec.schedule.suspend = true;
  EXPECT_EQ(way_to_resume(suspension_of(nightly)), "set spec.schedule.suspend to false");
}

TEST(Suspension, ShowsOnlyTheBeginningOfALengthyText) {
  auto photos = named<backup_config>("home", "photos");
  suspend_by_hand(photos.metadata, std::string(199, 'x') + "\xc3\xa4" + std::string(5000, 'y'));
  auto text = suspended_text(suspension_of(photos));
  EXPECT_NE(text.find("(" + std::string(199, 'x') + "...)"), std::string::npos) << text;
}

TEST(SuspensionNote, IsReadAsItWasWritten) {
  auto now = *instant_from("2026-11-21T06:00:00.123Z"), second = *instant_from("2026-11-21T06:00:00Z");
  EXPECT_EQ(suspension_note(now, "new disk"), by_hand);
  EXPECT_EQ(suspension_note(now, ""), "by kopiur suspend at 2026-11-21T06:00:00Z");
  EXPECT_EQ(suspended_since(suspension_note(now, "")), second);
  EXPECT_EQ(suspended_since(suspension_note(now, "until: 2030 at noon")), second);
  for (auto* other : {"", "yes", "me at home", "true at "}) EXPECT_FALSE(suspended_since(other)) << other;
}

}  // namespace
}  // namespace kopiur::rules
