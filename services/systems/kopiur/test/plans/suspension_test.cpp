#include "services/systems/kopiur/plans/plans.hpp"

#include "services/systems/kopiur/test/plans/scene.hpp"

/// The annotation of `kopiur suspend` has the same effect as `spec.suspend`, and the message says how to resume.
namespace kopiur::plans {
namespace {

using namespace proto;

constexpr auto* by_hand = R"("annotations":{"kopiur.home-operations.com/suspended":"by kopiur suspend at 2026-01-01T00:00:00Z"})";

void put_repository(scene& scene, std::string_view metadata, std::string_view status = R"("phase":"Ready","uniqueID":"id-nas")") {
  scene.put("Repository", "nas", metadata,
            R"("spec":{"backend":{"filesystem":{"path":"/srv/nas"}},"encryption":{"passwordSecretRef":{"name":"password"}}},"status":{)" +
                std::string(status) + "}");
}

std::string message_of(preparation const& what) { return std::get<wait>(what).why.message; }

struct a_backup : scene {
  a_backup() {
    put_config("photos"), put_claim("data");
    put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"}})");
  }
  preparation prepared() { return prepare_it("backup", "Backup", "b"); }
};

TEST(SuspendedByHand, AConfigHoldsItsBackups) {
  a_backup it;
  it.put_config("photos", R"("suspend":true)");
  ASSERT_EQ(said(it.prepared()), "wait ConfigSuspended");
  EXPECT_EQ(message_of(it.prepared()), "BackupConfig photos is suspended; set spec.suspend to false.");
  it.put_config("photos", "", by_hand);
  ASSERT_EQ(said(it.prepared()), "wait ConfigSuspended");
  EXPECT_NE(message_of(it.prepared()).find("run: kopiur resume BackupConfig photos -n prod"), std::string::npos);
  it.put_config("photos");
  EXPECT_EQ(said(it.prepared()), "ready");
}

TEST(SuspendedByHand, AConfigSaysSo) {
  scene it;
  auto reason = [&] { return it.reconcile_it("BackupConfig", "photos").statuses.at(0).fragment.conditions.at(0).reason; };
  it.put_config("photos");
  EXPECT_NE(reason(), "Suspended");
  it.put_config("photos", "", by_hand);
  EXPECT_EQ(reason(), "Suspended");
}

TEST(SuspendedByHand, ARepositoryHoldsWhatWouldRunOnIt) {
  a_backup it;
  put_repository(it, by_hand);
  ASSERT_EQ(said(it.prepared()), "wait RepositorySuspended");
  EXPECT_NE(message_of(it.prepared()).find("run: kopiur resume Repository nas -n prod"), std::string::npos);
}

TEST(SuspendedByHand, ARepositoryIsNotOpened) {
  scene it;
  put_repository(it, "", "");
  EXPECT_EQ(it.reconcile_it("Repository", "nas").orders.size(), 1U);
  EXPECT_EQ(said(it.prepare_it("connect", "Repository", "nas")), "ready");
  put_repository(it, by_hand, "");
  EXPECT_TRUE(it.reconcile_it("Repository", "nas").orders.empty());
  ASSERT_EQ(said(it.prepare_it("connect", "Repository", "nas")), "wait RepositorySuspended");
  EXPECT_NE(message_of(it.prepare_it("connect", "Repository", "nas")).find("kopiur resume Repository nas"), std::string::npos);
}

}  // namespace
}  // namespace kopiur::plans
