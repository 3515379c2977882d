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

table table_with(proto::kind_info const& kind, std::string const& object, bool everywhere = false, bool wide = false) {
  std::vector<json::value> const objects{json::parse(object).value()};
  return table_of(kind, objects, everywhere, wide, now);
}
std::string shown(proto::kind_info const& kind, std::string const& object, bool everywhere = false, bool wide = false) {
  return render(table_with(kind, object, everywhere, wide), false);
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

TEST(Rows, ShowSizesAsSizesAndOtherNumbersAsTheyAre) {
  auto text =
      shown(proto::repository::info,
            R"({"metadata": {"name": "nas"}, "status": {"storageStats": {"totalSize": 2048, "snapshotCount": 2048}}})", false, true);
  EXPECT_NE(text.find("2.0 KiB"), std::string::npos) << text;
  EXPECT_NE(text.find(" 2048 "), std::string::npos) << text;
}

TEST(Rows, MarkWhatIsMissingAndNameNoNamespaceOfTheCluster) {
  EXPECT_EQ(shown(proto::cluster_repository::info, R"({"metadata": {"name": "s3"}, "status": {"phase": null}})", true),
            "NAMESPACE  NAME  PHASE  BACKEND  SNAPSHOTS  NAMESPACES  STATE  AGE\n"
            "-          s3    -      -        -          -           -      -\n");
}

TEST(Rows, ColourPhaseAndStateOnly) {
  auto tone_at = [](std::string const& phase, std::size_t column) {
    auto object = R"({"metadata": {"name": "n"}, "status": {"phase": ")" + phase + R"(", "backend": ")" + phase + R"("}})";
    return table_with(proto::repository::info, object).rows.at(0).at(column).tone;
  };
  struct {
    char const* phase;
    tone expected;
  } const cases[] = {{"Ready", tone::good},    {"Succeeded", tone::good}, {"Completed", tone::good}, {"Bound", tone::good},
                     {"Active", tone::good},   {"Failed", tone::bad},     {"Held", tone::bad},       {"Degraded", tone::bad},
                     {"Lost", tone::bad},      {"Deleting", tone::warn},  {"Suspended", tone::warn}, {"Pending", tone::plain},
                     {"Running", tone::plain}, {"Scheduled", tone::good}};
  for (auto& each : cases) {
    EXPECT_EQ(tone_at(each.phase, 1), each.expected) << each.phase;
    EXPECT_EQ(tone_at(each.phase, 2), tone::plain) << "a backend of that name";
  }
}

TEST(Rows, OfOurOwnKindsSayMoreThanNameAndAge) {
  for (auto& kind : proto::infos_of(proto::own_kinds{})) EXPECT_GT(kind.columns.size(), 3U) << kind.kind;
}

TEST(Selection, IsANamespaceOrAllAndANameOrAll) {
  struct {
    selection which;
    char const *ns, *name;
    bool expected;
  } const cases[] = {{{}, "default", "a", true},
                     {{}, "other", "a", false},
                     {{}, "", "a", true},
                     {{.everywhere = true}, "other", "a", true},
                     {{.name = "a"}, "default", "a", true},
                     {{.name = "a"}, "default", "ab", false},
                     {{.everywhere = true, .name = "a"}, "other", "b", false},
                     {{.name = "a"}, "", "b", false}};
  for (auto& each : cases) EXPECT_EQ(selected(each.which, each.ns, each.name), each.expected) << each.ns << "/" << each.name;
}

TEST(Backups, StandByTimeWithTheirSizes) {
  controller::objects all;
  auto young = made_backup("a-young", at("2026-11-21T03:00:00Z"));
  young.status.stats = snapshot_stats{.size_bytes = 2048, .bytes_new = 10};
  add(all, young);
  add(all, made_backup("b-old", at("2026-11-20T03:00:00Z"), backup_origin::imported));
  EXPECT_EQ(render(backups_table(all, {}, "photos", now), false),
            "NAME     PHASE      ORIGIN     TIME                              SIZE     NEW   SNAPSHOT      NOTE\n"
            "b-old    Succeeded  imported   2026-11-20T03:00:00Z  25 h ago    -        -     0123456789ab\n"
            "a-young  Succeeded  scheduled  2026-11-21T03:00:00Z  60 min ago  2.0 KiB  10 B  0123456789ab\n");
}

TEST(Backups, AreThoseOfTheNamespaceAndTheConfig) {
  controller::objects all;
  auto other = made_backup("c", now);
  other.metadata.namespace_ = "other", other.spec.config_ref.reset();
  add(all, made_backup("b", now)), add(all, other);
  auto count = [&](selection which, std::string_view config) { return backups_table(all, which, config, now).rows.size(); };
  EXPECT_EQ(count({}, ""), 1U);
  EXPECT_EQ(count({}, "another-config"), 0U);
  EXPECT_EQ(count({.ns = "elsewhere"}, ""), 0U);
  EXPECT_EQ(count({.everywhere = true}, "photos"), 1U) << "a discovered one has no config";
  auto everywhere = backups_table(all, {.everywhere = true}, "", now);
  EXPECT_EQ(everywhere.columns.front() + " " + everywhere.rows.at(1).at(0).text, "NAMESPACE other");
}

table_row row_of(backup const& one) {
  controller::objects all;
  add(all, one);
  return backups_table(all, {}, "", now).rows.at(0);
}

TEST(Backups, ShowTheirPhaseWithProgress) {
  auto one = made_backup("b", now);
  one.status.progress = backup_progress{.percent = 42};
  EXPECT_EQ(row_of(one)[1].text, "Succeeded") << "progress of a run that is over";
  one.status.phase = backup_phase::Running;
  EXPECT_EQ(row_of(one)[1].text, "Running 42%");
  one.status.progress.reset();
  EXPECT_EQ(row_of(one)[1].text, "Running");
  one.status.phase.reset();
  EXPECT_EQ(row_of(one)[1].text, "Pending");
  one.metadata.deletion_timestamp = now;
  EXPECT_EQ(row_of(one)[1].text, "Deleting");
  EXPECT_EQ(row_of(one)[1].tone, tone::warn);
}

TEST(Backups, StandAtTheirEndElseTheirStartElseTheirCreation) {
  auto one = made_backup("b", at("2026-11-21T03:00:00Z"));
  one.status.timing->start_time = at("2026-11-21T02:00:00Z"), one.metadata.creation_timestamp = at("2026-11-21T01:00:00Z");
  EXPECT_EQ(row_of(one)[3].text, "2026-11-21T03:00:00Z");
  one.status.timing->end_time.reset();
  EXPECT_EQ(row_of(one)[3].text, "2026-11-21T02:00:00Z");
  one.status.timing.reset();
  EXPECT_EQ(row_of(one)[3].text, "2026-11-21T01:00:00Z");
}

TEST(Backups, NoteAFailureAndAPin) {
  auto one = made_backup("b", now);
  one.status.origin.reset(), one.status.snapshot.reset();
  EXPECT_EQ(row_of(one)[2].text + row_of(one)[7].text, "--") << "neither origin nor snapshot";
  EXPECT_EQ(row_of(one)[8].text, "");
  one.spec.pin = true;
  EXPECT_EQ(row_of(one)[8].text, "pinned");
  EXPECT_EQ(row_of(one)[8].tone, tone::plain);
  one.spec.pin = false, one.status.failure = run_failure{.message = "The disk is full."};
  EXPECT_EQ(row_of(one)[8].text, "The disk is full.");
  EXPECT_EQ(row_of(one)[8].tone, tone::bad);
}

}  // namespace
}  // namespace kopiur::cli
