#include "services/cli/core/manifests.hpp"

#include <gtest/gtest.h>

#include "proto/codec.hpp"
#include "services/cli/test/objects.hpp"

namespace kopiur::cli {
namespace {

using namespace proto;

import_order const history{.ns = "default", .config = "photos", .time = at("2026-11-21T06:00:00Z"), .from = "/history"};

std::string name_of(import_order const& order) { return std::string(import_manifest(order).text("metadata.name")); }

TEST(Import, IsABackupOfThePast) {
  EXPECT_EQ(json::dump(import_manifest(history)),
            R"({"apiVersion":"kopiur.home-operations.com/v1alpha1","kind":"Backup",)"
            R"("metadata":{"name":"import-photos-20261121-060000","namespace":"default"},)"
            R"("spec":{"configRef":{"name":"photos"},"import":{"at":"2026-11-21T06:00:00Z","from":"/history"}}})");
}

TEST(Import, IsNamedByConfigTimeAndSourceSoThatTheSameHistoryIsImportedOnce) {
  auto other_folder = history, other_source = history, other_time = history, third_source = history;
  other_folder.from = "/copy-of-history";
  EXPECT_EQ(name_of(other_folder), name_of(history));
  other_time.time += std::chrono::seconds(1);
  EXPECT_EQ(name_of(other_time), "import-photos-20261121-060001");
  other_source.source_path = "/a", third_source.source_path = "/b";
  EXPECT_TRUE(name_of(other_source).starts_with(name_of(history) + "-"));
  EXPECT_NE(name_of(other_source), name_of(third_source));
  EXPECT_EQ(import_manifest(other_source).text("spec.sourcePath"), "/a");
}

TEST(Import, KeepsLongNamesWithinTheLimitAndApart) {
  auto fits = history, longer = history, other = history;
  fits.config = std::string(40, 'x'), longer.config = std::string(50, 'x') + "y", other.config = std::string(50, 'x') + "z";
  EXPECT_EQ(name_of(fits), "import-" + fits.config + "-20261121-060000") << "63 characters";
  EXPECT_EQ(name_of(longer).size(), 63U);
  EXPECT_EQ(name_of(longer).substr(0, 54), name_of(other).substr(0, 54));
  EXPECT_NE(name_of(longer), name_of(other));
  fits.config += 'x';
  EXPECT_EQ(name_of(fits).size(), 63U);
}

restore_order const good{.ns = "default", .name = "r", .config = "photos", .claim = "back"};

/// The spec of the order after a change; the sentence when it is refused.
std::string spec_after(auto change) {
  auto copy = good;
  change(copy);
  auto made = restore_manifest(copy);
  return made ? json::dump(*made->find("spec")) : made.error();
}

TEST(RestoreOrder, BecomesTheSpecOfARestore) {
  auto made = restore_manifest(good).value();
  EXPECT_EQ(
      std::string(made.text("kind")) + " " + std::string(made.text("metadata.namespace")) + "/" + std::string(made.text("metadata.name")),
      "Restore default/r");
  struct {
    std::string spec;
    char const* expected;
  } const cases[] = {
      {spec_after([](auto&) {}), R"({"source":{"fromConfig":{"name":"photos"}},"target":{"pvc":{"name":"back"}}})"},
      {spec_after([](auto& o) { o.source_path = "/a", o.as_of = at("2026-11-21T06:00:00Z"); }),
       R"({"source":{"fromConfig":{"name":"photos","sourcePath":"/a","asOf":"2026-11-21T06:00:00Z"}},"target":{"pvc":{"name":"back"}}})"},
      {spec_after([](auto& o) { o.offset = 2, o.capacity = "1Gi"; }),
       R"({"source":{"fromConfig":{"name":"photos","offset":2}},"target":{"pvc":{"name":"back","capacity":"1Gi"}}})"},
      {spec_after([](auto& o) { o.config.reset(), o.backup = "b", o.source_path = "/a", o.existing = true; }),
       R"({"source":{"backupRef":{"name":"b","sourcePath":"/a"}},"target":{"pvcRef":{"name":"back"}}})"},
      {spec_after([](auto& o) { o.claim.clear(), o.dry_run = true, o.path = "x/y", o.require_ownership = true; }),
       R"({"source":{"fromConfig":{"name":"photos"}},"options":{"path":"x/y","requireOwnership":true},"dryRun":true})"},
      {spec_after([](auto& o) { o.dry_run = true; }),
       R"({"source":{"fromConfig":{"name":"photos"}},"target":{"pvc":{"name":"back"}},"dryRun":true})"},
  };
  for (auto& each : cases) EXPECT_EQ(each.spec, each.expected);
}

TEST(RestoreOrder, RefusesWhatDoesNotGoTogether) {
  auto as_identity = [](auto& o) { o.config.reset(), o.identity = "app@db:/pvc/a"; };
  struct {
    std::string said;
    char const* beginning;
  } const cases[] = {
      {spec_after([](auto& o) { o.backup = "b"; }), "Say what to restore"},
      {spec_after([](auto& o) { o.config.reset(); }), "Say what to restore"},
      {spec_after([](auto& o) { o.identity = "app@db:/pvc/a"; }), "Say what to restore"},
      {spec_after([](auto& o) { o.backup = "b", o.config.reset(), o.offset = 1; }), "--as-of and --offset choose"},
      {spec_after([](auto& o) { o.backup = "b", o.config.reset(), o.as_of = at("2026-11-21T06:00:00Z"); }), "--as-of and --offset choose"},
      {spec_after([](auto& o) { o.snapshot = "s"; }), "--snapshot is one of a source"},
      {spec_after([&](auto& o) { as_identity(o), o.snapshot = "s", o.offset = 1; }), "--snapshot names one already"},
      {spec_after([](auto& o) { o.repository = repository_named("nas"); }), "--repository goes with --identity"},
      {spec_after([](auto& o) { o.config.reset(), o.backup = "b", o.repository = repository_named("nas"); }),
       "--repository goes with --identity"},
      {spec_after([&](auto& o) { as_identity(o), o.source_path = "/pvc/b"; }), "--source-path chooses"},
      {spec_after([](auto& o) { o.claim.clear(); }), "Name the target"},
      {spec_after([](auto& o) { o.existing = true, o.capacity = "1Gi"; }), "--capacity is for a claim that is made"},
      {spec_after([](auto& o) { o.claim.clear(), o.dry_run = true, o.existing = true; }), "--existing and --capacity are about"},
      {spec_after([](auto& o) { o.claim.clear(), o.dry_run = true, o.capacity = "1Gi"; }), "--existing and --capacity are about"},
  };
  for (auto& each : cases) EXPECT_TRUE(each.said.starts_with(each.beginning)) << each.said << " | " << each.beginning;
}

TEST(RestoreOrder, OfAnIdentityIsReadAsKopiaWritesIt) {
  restore_order order{.ns = "default", .name = "r", .identity = "app@db.prod:/pvc/a:b", .snapshot = "s1", .path = "x/y", .dry_run = true};
  order.repository = repository_named("ClusterRepository/shared");
  auto made = restore_manifest(order);
  ASSERT_TRUE(made) << made.error();
  EXPECT_EQ(json::dump(*made->find("spec")),
            R"({"source":{"identity":{"username":"app","hostname":"db.prod","sourcePath":"/pvc/a:b","snapshotID":"s1"}},)"
            R"("repository":{"kind":"ClusterRepository","name":"shared"},"options":{"path":"x/y"},"dryRun":true})");
  order.snapshot.reset(), order.offset = 1;
  EXPECT_EQ(json::dump(*restore_manifest(order)->at("spec.source.identity.offset")), "1");
  for (auto* wrong : {"", "app", "@h:/p", "a@:/p", "a@h", "a@h:", "a:b@"}) {
    order.identity = wrong;
    auto refused = restore_manifest(order);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_TRUE(refused.error().starts_with("\"" + std::string(wrong) + "\" is not an identity")) << refused.error();
  }
}

TEST(RestoreOrder, TakesTheOnlyRepositoryThereIs) {
  controller::objects all;
  EXPECT_TRUE(only_repository(all, "prod").error().ends_with("namespace prod has 0."));
  all.of<repository>()[{"prod", "nas"}] = {};
  all.of<repository>()[{"other", "nas2"}] = {};
  auto only = only_repository(all, "prod").value();
  EXPECT_EQ(only.name, "nas");
  EXPECT_EQ(only.kind, repository_kind::Repository);
  all.of<repository>()[{"prod", "more"}] = {};
  EXPECT_TRUE(only_repository(all, "prod").error().ends_with("namespace prod has 2."));
}

TEST(RestoreOrder, NamesARepositoryWithItsKindOnlyWhereItIsShared) {
  EXPECT_EQ(json::dump(json::encode(repository_named("nas"))), R"({"kind":"Repository","name":"nas"})");
  EXPECT_EQ(json::dump(json::encode(repository_named("ClusterRepository/s3"))), R"({"kind":"ClusterRepository","name":"s3"})");
}

TEST(BackupRequest, NamesTheSourceOnlyWhereOneIsChosen) {
  EXPECT_EQ(json::dump(backup_request_body("cli-1", "photos", {})), R"({"id":"cli-1","config":"photos"})");
  EXPECT_EQ(json::dump(backup_request_body("cli-1", "photos", "/a")), R"({"id":"cli-1","config":"photos","sourcePath":"/a"})");
}

}  // namespace
}  // namespace kopiur::cli
