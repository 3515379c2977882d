#include "services/cli/core/rows.hpp"

#include <gtest/gtest.h>

#include "proto/kinds.hpp"
#include "services/cli/test/objects.hpp"

namespace kopiur::cli {
namespace {

using namespace proto;

constexpr auto nightly = R"({"metadata": {"name": "nightly", "namespace": "home", "creationTimestamp": "2026-11-20T04:00:00Z"},
  "spec": {"configRef": {"name": "photos"}, "schedule": {"cron": "0 3 * * *"}},
  "status": {"nextSchedule": {"at": "2026-11-21T06:00:00Z"}, "consecutiveFailures": 2,
             "conditions": [{"type": "ConfigResolvable", "reason": "Resolved"}, {"type": "Ready", "reason": "Suspended", "message": "m"}]}})";

instant const now = instant_from("2026-11-21T04:00:00Z").value();

std::string shown(proto::kind_info const& kind, std::string const& object, bool everywhere = false, bool wide = false) {
  std::vector<json::value> const objects{json::parse(object).value()};
  return render(table_of(kind, objects, everywhere, wide, now), false);
}

TEST(Rows, AreThePrinterColumnsOfTheKind) {
  EXPECT_EQ(shown(proto::backup_schedule::info, nightly),
            "NAME     CONFIG  SCHEDULE   LAST SUCCESS  NEXT    STATE      AGE\n"
            "nightly  photos  0 3 * * *  -             in 2 h  Suspended  24 h\n");
}

TEST(Rows, AreMoreWhereTheyAreWide) {
  auto text = shown(proto::backup_schedule::info, nightly, true, true);
  EXPECT_TRUE(text.starts_with("NAMESPACE  NAME ")) << text;
  EXPECT_NE(text.find("FAILURES  MESSAGE\n"), std::string::npos) << text;
  EXPECT_NE(text.find("2         m\n"), std::string::npos) << text;
}

TEST(Rows, ShowSizesAsSizes) {
  auto text =
      shown(proto::repository::info, R"({"metadata": {"name": "nas"}, "status": {"storageStats": {"totalSize": 2048}}})", false, true);
  EXPECT_NE(text.find("2.0 KiB"), std::string::npos) << text;
}

TEST(Rows, OfOurOwnKindsSayMoreThanNameAndAge) {
  for (auto& kind : proto::infos_of(proto::own_kinds{})) EXPECT_GT(kind.columns.size(), 3U) << kind.kind;
}

TEST(Backups, StandByTimeWithTheirSizes) {
  controller::objects all;
  auto young = made_backup("a-young", at("2026-11-21T03:00:00Z"));
  young.status.stats = snapshot_stats{.size_bytes = 2048, .bytes_new = 10};
  add(all, young);
  add(all, made_backup("b-old", at("2026-11-20T03:00:00Z"), backup_origin::imported));
  auto shown = backups_table(all, {}, "photos", at("2026-11-21T04:00:00Z"));
  ASSERT_EQ(shown.rows.size(), 2u);
  EXPECT_EQ(shown.rows[0][0].text, "b-old");
  EXPECT_EQ(shown.rows[0][2].text, "imported");
  EXPECT_EQ(shown.rows[1][4].text, "60 min ago");
  EXPECT_EQ(shown.rows[1][5].text, "2.0 KiB");
  EXPECT_TRUE(backups_table(all, {.ns = "other"}, "", at("2026-11-21T04:00:00Z")).rows.empty());
  EXPECT_TRUE(backups_table(all, {}, "another-config", at("2026-11-21T04:00:00Z")).rows.empty());
}

}  // namespace
}  // namespace kopiur::cli
