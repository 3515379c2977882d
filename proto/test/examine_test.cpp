#include "proto/examine.hpp"

#include <gtest/gtest.h>

#include "common/config/manifest.hpp"

namespace kopiur::proto {
namespace {

std::string says(std::string_view yaml) {
  auto read = config::read_manifests(yaml, "test");
  EXPECT_TRUE(read) << read.error().text();
  std::string out;
  for (auto& each : examine(read->front().content)) out += each.text() + "\n";
  return out;
}
std::string schedule(std::string const& rules) {
  return "{apiVersion: kopiur.home-operations.com/v1alpha1, kind: BackupSchedule, metadata: {name: a}, spec: {configRef: {name: b}, "
         "schedule: {" +
         rules + "}}}";
}

TEST(Examine, AsksTheParsersThatRunSchedules) {
  EXPECT_EQ(says(schedule("cron: 'H(0-29) 3 * * MON-FRI', timezone: Europe/Berlin, jitter: 15m")), "");
  EXPECT_TRUE(says(schedule("cron: '61 3 * * *'")).starts_with("spec.schedule.cron: ")) << says(schedule("cron: '61 3 * * *'"));
  EXPECT_TRUE(says(schedule("cron: '0 0 3 * * *'")).contains("there is none for seconds")) << "the parser's own sentence";
  EXPECT_TRUE(says(schedule("cron: '@every 5m'")).contains("use @hourly")) << says(schedule("cron: '@every 5m'"));
  EXPECT_TRUE(says(schedule("cron: '0 3 * * *', timezone: Mars/Base")).starts_with("spec.schedule.timezone: "));
}

TEST(Examine, KeepsJitterBelowTheGapBetweenSlots) {
  EXPECT_EQ(says(schedule("cron: '*/10 * * * *', jitter: 9m")), "");
  EXPECT_EQ(says(schedule("cron: '*/10 * * * *', jitter: 10m")),
            "spec.schedule.jitter: Slots are only 10m apart, so a run could be moved past the next one. Write a jitter below that.\n");
  EXPECT_TRUE(says("{apiVersion: kopiur.home-operations.com/v1alpha1, kind: Maintenance, metadata: {name: a}, "
                   "spec: {repository: {name: b}, schedule: {quick: {jitter: 6h}}}}")
                  .starts_with("spec.schedule.quick.jitter: "));
}

TEST(Examine, ReadsTheKindsThatTheLocalAdapterNeeds) {
  EXPECT_EQ(says("{apiVersion: v1, kind: Secret, metadata: {name: a}, stringData: {k: v}}"), "");
  EXPECT_EQ(says("{apiVersion: v1, kind: Secret, metadata: {name: a}, stringData: {k: 7}}"),
            "stringData.k: It must be text. Correct it.\n");
  EXPECT_EQ(says("{apiVersion: v1, kind: PersistentVolume, metadata: {name: a, namespace: b}}"),
            "metadata.namespace: A PersistentVolume belongs to no namespace. Remove namespace.\n");
  EXPECT_EQ(says("{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: ../a}}").substr(0, 14), "metadata.name:");
  EXPECT_EQ(says("{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}").substr(0, 5), "kind:");
}

TEST(Examine, RefusesAPathThatWouldNeverBeFound) {
  auto volume = [](std::string const& path) {
    return "{apiVersion: v1, kind: PersistentVolume, metadata: {name: a}, spec: {hostPath: {path: \"" + path + "\"}}}";
  };
  EXPECT_EQ(says(volume("/home/ana/docs")), "");
  for (auto path : {"~/docs", "docs/x", "file:///home", "", "/srv/${APP}"})
    EXPECT_TRUE(says(volume(path)).starts_with("spec.hostPath.path: ")) << path;
  auto old = config::read_manifests(volume("~/docs"), "old")->front().content;
  EXPECT_EQ(examine(old, &old).size(), 0u) << "what stands stays";
}

TEST(Examine, RefusesAClaimWhoseRestoreIsOfNoGroup) {
  auto claim = [](std::string const& source) {
    return "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a}, spec: {" + source + "}}";
  };
  EXPECT_EQ(says(claim("dataSourceRef: {apiGroup: kopiur.home-operations.com, kind: Restore, name: r}")), "");
  EXPECT_EQ(says(claim("dataSource: {kind: VolumeSnapshot, name: s, apiGroup: snapshot.storage.k8s.io}")), "");
  EXPECT_EQ(says(claim("dataSourceRef: {kind: Restore, name: r}")),
            "spec.dataSourceRef.apiGroup: The API group `` has no Restore. Write kopiur.home-operations.com.\n");
}

TEST(Examine, RefusesASecretThatIsStillEncrypted) {
  auto text = "{apiVersion: v1, kind: Secret, metadata: {name: a}, stringData: {k: v}, sops: {mac: x}}";
  EXPECT_EQ(says(text), "sops: A Secret has no such member. It is still encrypted by SOPS: put here what `sops decrypt` makes of it.\n");
  EXPECT_EQ(says("{apiVersion: v1, kind: Secret, metadata: {name: a}, strigData: {k: v}}").substr(0, 11), "strigData: ");
  auto old = config::read_manifests(text, "old")->front().content;
  EXPECT_EQ(examine(old, &old).size(), 0u) << "what stands stays";
}

TEST(Examine, JudgesAChangeByWhatIsThere) {
  auto old = config::read_manifests(
      "{apiVersion: kopiur.home-operations.com/v1alpha1, kind: Backup, metadata: {name: a}, spec: {configRef: {name: b}}, status: {phase: "
      "Running}}",
      "old");
  auto now = old->front().content;
  now.find("spec")->find("configRef")->set("name", "c");
  EXPECT_EQ(examine(now).size(), 0u);
  ASSERT_EQ(examine(now, &old->front().content).size(), 1u);
}

}  // namespace
}  // namespace kopiur::proto
