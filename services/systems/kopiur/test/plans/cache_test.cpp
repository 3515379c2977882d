#include "services/systems/kopiur/plans/plans.hpp"

#include "services/systems/kopiur/test/plans/scene.hpp"

namespace kopiur::plans {
namespace {

using namespace proto;

/// Every mover gets the repository's `cacheDefaults`; options of a config override them one by one.
TEST(Movers, HaveTheRepositorysCacheUnlessTheirRecipeSaysOtherwise) {
  scene it;
  it.put(
      "Repository", "nas", "",
      R"("spec":{"backend":{"filesystem":{"path":"/srv/nas"}},"encryption":{"passwordSecretRef":{"name":"password"}},)"
      R"("cacheDefaults":{"capacity":"8Gi","storageClassName":"fast","contentCacheSizeMB":500,"metadataCacheSizeMB":50}},"status":{"phase":"Ready","uniqueID":"id-nas"})");
  auto plan_of = [&](preparation what) { return said(what) == "ready" ? std::get<ready>(what).plan : run_plan{}; };
  it.put("Maintenance", "m", "", R"("spec":{"repository":{"name":"nas"},"mover":{"resources":{"limits":{"memory":"1Gi"}}}})");
  auto maintains = plan_of(it.prepare_it("maintain", "Maintenance", "m"));
  EXPECT_EQ(kopia_of(maintains).repository->content_cache_MB, 500);
  EXPECT_EQ(json::encode(maintains.pod).text("cache.capacity"), "8Gi");
  EXPECT_EQ(json::encode(maintains.pod).text("cache.storageClassName"), "fast");
  EXPECT_EQ(json::encode(maintains.pod).text("resources.limits.memory"), "1Gi");
  it.put_claim("data");
  it.put_config("photos", R"("mover":{"cache":{"contentCacheSizeMB":9}})");
  it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"}})");
  auto backs_up = plan_of(it.prepare_it("backup", "Backup", "b"));
  EXPECT_EQ(kopia_of(backs_up).repository->content_cache_MB, 9);
  EXPECT_EQ(kopia_of(backs_up).repository->metadata_cache_MB, 50);
  EXPECT_EQ(json::encode(backs_up.pod).text("cache.capacity"), "8Gi");
  EXPECT_EQ(json::encode(plan_of(it.prepare_it("discover", "Repository", "nas")).pod).text("cache.capacity"), "8Gi");
}

/// A cache that outgrows its volume makes its mover fail; kopia's own defaults are 5 GB each.
TEST(Movers, KeepTheirCacheWithinItsCapacity) {
  scene it;
  it.put_claim("data");
  it.put_config("photos", R"("mover":{"cache":{"capacity":"1Gi","metadataCacheSizeMB":7}})");
  it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"}})");
  auto what = it.prepare_it("backup", "Backup", "b");
  ASSERT_EQ(said(what), "ready");
  auto& access = *kopia_of(std::get<ready>(what).plan).repository;
  EXPECT_EQ(access.content_cache_MB, 512);
  EXPECT_EQ(access.metadata_cache_MB, 7) << "what is said stands";
}

}  // namespace
}  // namespace kopiur::plans
