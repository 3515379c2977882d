#include "services/cli/core/rows.hpp"

#include <gtest/gtest.h>

#include "proto/kinds.hpp"
#include "services/cli/core/json_path.hpp"

namespace kopiur::cli {
namespace {

constexpr auto schedule = R"({"metadata": {"name": "nightly", "namespace": "home", "creationTimestamp": "2026-11-20T04:00:00Z"},
  "spec": {"configRef": {"name": "photos"}, "schedule": {"cron": "0 3 * * *"}},
  "status": {"nextSchedule": {"at": "2026-11-21T06:00:00Z"}, "consecutiveFailures": 2,
             "conditions": [{"type": "ConfigResolvable", "reason": "Resolved"}, {"type": "Ready", "reason": "Suspended", "message": "m"}]}})";

instant const now = instant_from("2026-11-21T04:00:00Z").value();

std::string shown(proto::kind_info const& kind, std::string const& object, bool everywhere = false, bool wide = false) {
  std::vector<json::value> const objects{json::parse(object).value()};
  return render(table_of(kind, objects, everywhere, wide, now), false);
}

TEST(Rows, AreThePrinterColumnsOfTheKind) {
  EXPECT_EQ(shown(proto::backup_schedule::info, schedule),
            "NAME     CONFIG  SCHEDULE   LAST SUCCESS  NEXT    STATE      AGE\n"
            "nightly  photos  0 3 * * *  -             in 2 h  Suspended  24 h\n");
}

TEST(Rows, AreMoreWhereTheyAreWide) {
  auto text = shown(proto::backup_schedule::info, schedule, true, true);
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

TEST(JsonPath, FindsMembersItemsAndConditions) {
  auto object = json::parse(schedule).value();
  auto text = [&](std::string_view path) {
    auto* found = at_path(object, path);
    return found && found->as_string() ? *found->as_string() : std::string("none");
  };
  EXPECT_EQ(text(".spec.configRef.name"), "photos");
  EXPECT_EQ(text(".status.conditions[0].type"), "ConfigResolvable");
  EXPECT_EQ(text(R"(.status.conditions[?(@.type=="Ready")].reason)"), "Suspended");
  for (auto* path : {".status.conditions[2].type", ".status.conditions[x].type", ".status.conditions[0", ".no.such", "status", ".",
                     R"(.status.conditions[?(@.type=="Stalled")].reason)", ".metadata[0]"})
    EXPECT_EQ(text(path), "none") << path;
}

}  // namespace
}  // namespace kopiur::cli
