#include "services/cli/core/manifests.hpp"

#include <gtest/gtest.h>

#include "services/cli/test/objects.hpp"

namespace kopiur::cli {
namespace {

using namespace proto;

TEST(Import, NamesABackupByConfigAndTime) {
  auto made = import_manifest({.ns = "default", .config = "photos", .time = at("2026-11-21T06:00:00Z"), .from = "/history"});
  EXPECT_EQ(made.text("metadata.name"), "import-photos-20261121-060000");
  EXPECT_EQ(made.text("spec.import.at"), "2026-11-21T06:00:00Z");
  EXPECT_EQ(made.text("spec.configRef.name"), "photos");
  auto lengthy = import_manifest({.ns = "default", .config = std::string(60, 'x'), .time = at("2026-11-21T06:00:00Z"), .from = "/h"});
  EXPECT_EQ(lengthy.text("metadata.name").size(), 63u);
}

TEST(RestoreOrder, RefusesWhatDoesNotGoTogether) {
  restore_order good{.ns = "default", .name = "r", .config = "photos", .claim = "back"};
  auto made = restore_manifest(good);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->text("spec.source.fromConfig.name"), "photos");
  EXPECT_EQ(made->text("spec.target.pvc.name"), "back");
  auto changed = [&](auto change) {
    auto copy = good;
    change(copy);
    return restore_manifest(copy).has_value();
  };
  EXPECT_TRUE(changed([](auto& o) { o.existing = true; }));
  EXPECT_FALSE(changed([](auto& o) { o.backup = "b"; }));
  EXPECT_FALSE(changed([](auto& o) { o.config.reset(); }));
  EXPECT_FALSE(changed([](auto& o) { o.claim.clear(); }));
  EXPECT_FALSE(changed([](auto& o) { o.existing = true, o.capacity = "1Gi"; }));
  EXPECT_FALSE(changed([](auto& o) { o.backup = "b", o.config.reset(), o.offset = 1; }));
  EXPECT_TRUE(changed([](auto& o) { o.claim.clear(), o.dry_run = true; }));
  EXPECT_FALSE(changed([](auto& o) { o.claim.clear(), o.dry_run = true, o.existing = true; }));
  EXPECT_FALSE(changed([](auto& o) { o.snapshot = "s"; })) << "of what source?";
}

TEST(RestoreOrder, OfAnIdentityIsReadAsKopiaWritesIt) {
  restore_order order{.ns = "default", .name = "r", .identity = "app@db.prod:/pvc/a:b", .snapshot = "s1", .path = "x/y", .dry_run = true};
  order.repository = repository_named("ClusterRepository/shared");
  auto made = restore_manifest(order);
  ASSERT_TRUE(made) << made.error();
  EXPECT_EQ(json::dump(*made->find("spec")),
            R"({"source":{"identity":{"username":"app","hostname":"db.prod","sourcePath":"/pvc/a:b","snapshotID":"s1"}},)"
            R"("repository":{"kind":"ClusterRepository","name":"shared"},"options":{"path":"x/y"},"dryRun":true})");
  for (auto* wrong : {"", "app", "@h:/p", "a@:/p", "a@h", "a@h:"}) {
    order.identity = wrong;
    EXPECT_FALSE(restore_manifest(order)) << wrong;
  }
}

TEST(RestoreOrder, TakesTheOnlyRepositoryThereIs) {
  controller::objects all;
  EXPECT_FALSE(only_repository(all, "prod"));
  all.of<repository>()[{"prod", "nas"}] = {};
  all.of<repository>()[{"other", "nas2"}] = {};
  EXPECT_EQ(only_repository(all, "prod").value().name, "nas");
  all.of<repository>()[{"prod", "more"}] = {};
  EXPECT_FALSE(only_repository(all, "prod"));
}

}  // namespace
}  // namespace kopiur::cli
