#include "services/systems/kopiur/rules/belonging.hpp"

#include <gtest/gtest.h>

#include <random>

#include "proto/subjects.hpp"

namespace kopiur::rules {
namespace {

using namespace proto;

std::string document(std::string const& ns, std::string const& name, std::string const& config, std::string const& source) {
  auto identity = R"("identity":{"username":"u","hostname":"h","sourcePath":")" + source + "\"}";
  auto status = source.empty() ? std::string() : R"(,"status":{"snapshot":{"kopiaSnapshotID":"k",)" + identity + "}}";
  auto spec = config.empty() ? std::string() : R"("configRef":{"name":")" + config + "\"}";
  return R"({"apiVersion":"kopiur.home-operations.com/v1alpha1","kind":"Backup","metadata":{"name":")" + name + R"(","namespace":")" + ns +
         R"(","uid":"u"},"spec":{)" + spec + "}" + status + "}";
}

/// After any sequence of creations, changes, moves to another config or source, unreadable objects and deletions the index equals a full
/// scan.
TEST(BackupsOf, TheIndexAgreesWithTheTable) {
  controller::objects indexed;
  std::minstd_rand luck(7);
  auto any = [&](std::vector<std::string> texts) { return texts[luck() % texts.size()]; };
  for (int step = 0; step < 3000; ++step) {
    auto ns = any({"a", "b"}), name = any({"1", "2", "3", "4", "5"});
    auto body = luck() % 9 == 0 ? std::string("{") : document(ns, name, any({"", "photos", "music"}), any({"", "/a", "/b"}));
    (void)apply(indexed, subjects::resource("c", "Backup", ns, name), luck() % 3 == 0 ? nullptr : &body);
    auto scanned = indexed;
    scanned.members.clear();
    auto expect_same = [&](auto const& backups_in) {
      auto names = [&](controller::objects const& all) {
        std::vector<std::string> found;
        for (auto* one : backups_in(all)) found.push_back(one->metadata.namespace_ + "/" + one->metadata.name);
        return found;
      };
      EXPECT_EQ(names(indexed), names(scanned)) << step;
    };
    for (std::string of_ns : {"a", "b", "c"}) {
      for (std::string config_name : {"photos", "music"}) {
        backup_config config;
        config.metadata.namespace_ = of_ns, config.metadata.name = config_name;
        expect_same([&](controller::objects const& all) { return backups_of(all, config); });
      }
      for (std::string path : {"/a", "/b"})
        expect_same([&](controller::objects const& all) { return backups_of(all, of_ns, {"u", "h", path}); });
    }
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

TEST(References, NameARepositoryAsItIsSeenFromTheirNamespace) {
  repository_ref ref{.kind = repository_kind::Repository, .name = "nas"};
  EXPECT_TRUE(names(ref, "home", repository_kind::Repository, "home", "nas"));
  EXPECT_FALSE(names(ref, "home", repository_kind::Repository, "other", "nas"));
  EXPECT_FALSE(names(ref, "home", repository_kind::Repository, "home", "s3"));
  EXPECT_FALSE(names(ref, "home", repository_kind::ClusterRepository, "", "nas"));
  ref.namespace_ = "other";
  EXPECT_TRUE(names(ref, "home", repository_kind::Repository, "other", "nas"));
  ref = {.kind = repository_kind::ClusterRepository, .name = "nas"};
  EXPECT_TRUE(names(ref, "home", repository_kind::ClusterRepository, "", "nas"));
}

}  // namespace
}  // namespace kopiur::rules
