#include "services/gateway/kubernetes/volumes/copies.hpp"

#include <gtest/gtest.h>

namespace kopiur::gateway::kubernetes {
namespace {

json::value parsed(std::string const& text) { return json::parse(text).value(); }

proto::create_job command(bool clone = false) {
  proto::create_job out{.run = "backup-1", .attempt = 2, .namespace_ = "media"};
  out.serves = {{"Backup", "media", "docs", "uid-docs"}};
  out.volumes = {{.name = "source", .claim_namespace = "media", .claim_name = "data", .copy = proto::volume_copy{.clone = clone}}};
  return out;
}
copies_owner owner(proto::create_job const& command) { return {command.run, command.namespace_, command.serves}; }
json::value source(std::string const& size) {
  return parsed(R"({"kind":"PersistentVolumeClaim","spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"fast","volumeName":"pv-1",)"
                R"("dataSourceRef":{"kind":"Restore","name":"r"},"resources":{"requests":{"storage":"1Gi"}}},)"
                R"("status":{"capacity":{"storage":")" +
                size + R"("}}})");
}
json::value snapshot(std::string const& least, std::string const& name = "backup-1-source") {
  return parsed(R"({"metadata":{"name":")" + name + R"("},"status":{"readyToUse":true,"restoreSize":")" + least + R"("}})");
}

TEST(Copies, AreClaimsLikeTheirSourceOfTheRunsOwn) {
  auto item = command();
  auto made = copy_manifest(owner(item), item.volumes[0], source("5Gi"), snapshot("5Gi"));
  EXPECT_EQ(json::dump(*made.find("spec")),
            R"({"dataSource":{"apiGroup":"snapshot.storage.k8s.io","kind":"VolumeSnapshot","name":"backup-1-source"},)"
            R"("resources":{"requests":{"storage":"5Gi"}},"accessModes":["ReadWriteOnce"],"storageClassName":"fast"})");
  EXPECT_EQ(made.text("metadata.name"), "backup-1-source") << "over all attempts: hooks have brought the source to rest once";
  EXPECT_EQ(label(made, ours("run")), "backup-1");
  EXPECT_EQ(made.at("metadata.ownerReferences")->as_array()->at(0).text("uid"), "uid-docs");
  EXPECT_TRUE(is_copy(made));
  EXPECT_FALSE(is_copy(source("5Gi")));
  auto clone = copy_manifest(owner(item), item.volumes[0], source("5Gi"), json::value());
  EXPECT_EQ(json::dump(*clone.at("spec.dataSource")), R"({"kind":"PersistentVolumeClaim","name":"data"})");
}

TEST(Copies, AreMadeFromTheSnapshotWhoeverMadeIt) {
  auto item = command();
  auto made = copy_manifest(owner(item), item.volumes[0], source("5Gi"), snapshot("5Gi", "of-the-group"));
  EXPECT_EQ(made.text("spec.dataSource.name"), "of-the-group");
  EXPECT_EQ(made.text("metadata.name"), "backup-1-source");
}

TEST(Copies, AreLargeEnoughForWhatTheyHold) {
  auto item = command();
  auto size = [&](std::string const& has, std::string const& least) {
    return std::string(copy_manifest(owner(item), item.volumes[0], source(has), snapshot(least)).text("spec.resources.requests.storage"));
  };
  EXPECT_EQ(size("5Gi", "20Mi"), "5Gi") << "the driver tells what is used";
  EXPECT_EQ(size("5Gi", "5369757696"), "5369757696") << "a little more than 5Gi";
  EXPECT_EQ(size("1.5Ti", "900G"), "1.5Ti");
  EXPECT_EQ(size("5Gi", ""), "5Gi");
  EXPECT_EQ(size("", ""), "1Gi") << "as asked for";
}

TEST(Copies, OfASnapshotWaitUntilItIsReady) {
  EXPECT_FALSE(not_yet(snapshot_state::ready, snapshot("1Gi")));
  EXPECT_TRUE(not_yet(snapshot_state::ready, parsed(R"({"metadata":{"name":"s"}})")));
  EXPECT_EQ(
      not_yet(
          snapshot_state::ready,
          parsed(
              R"({"kind":"VolumeSnapshot","metadata":{"name":"s"},"status":{"readyToUse":false,"error":{"message":"no default class"}}})")),
      "the VolumeSnapshot s is not ready yet: no default class");
  auto item = command();
  item.volumes[0].copy->snapshot_class = "kept";
  EXPECT_EQ(json::dump(*snapshot_manifest(owner(item), item.volumes[0]).find("spec")),
            R"({"source":{"persistentVolumeClaimName":"data"},"volumeSnapshotClassName":"kept"})");
}

/// The driver may copy a snapshot for minutes: the application is quiesced only until the snapshot is cut.
TEST(Copies, AreCutBeforeTheyAreReady) {
  auto said = [](std::string const& status) {
    return parsed(R"({"kind":"VolumeSnapshot","metadata":{"name":"s"},"status":)" + status + "}");
  };
  auto cut = said(R"({"readyToUse":false,"creationTime":"2026-11-28T10:00:00Z"})");
  EXPECT_FALSE(not_yet(snapshot_state::cut, cut));
  EXPECT_TRUE(not_yet(snapshot_state::ready, cut));
  EXPECT_TRUE(not_yet(snapshot_state::cut, said(R"({"readyToUse":false})")));
  EXPECT_FALSE(not_yet(snapshot_state::cut, said(R"({"readyToUse":true})")));
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
