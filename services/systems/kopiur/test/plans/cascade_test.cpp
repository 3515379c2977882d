#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/run_ids.hpp"
#include "services/systems/kopiur/rules/slot_names.hpp"

#include "services/systems/kopiur/test/plans/scene.hpp"

namespace kopiur::plans {
namespace {

using namespace proto;

constexpr char const* doomed = R"("finalizers":["kopiur.home-operations.com/backups-cleanup"],"deletionTimestamp":"2026-03-01T00:00:00Z")";

class Cascade : public ::testing::Test {
 protected:
  void put(std::string_view policy, std::string_view metadata) {
    it.put_config("photos", R"("onConfigDelete":")" + std::string(policy) + "\"", metadata);
  }
  std::vector<std::string> asks() { return asked(it.reconcile_it("BackupConfig", "photos")); }
  void live(std::string_view policy) {
    answer said{.code = answer_code::Ok};
    said.object = *json::parse(R"({"metadata":{"uid":"uid-photos","deletionTimestamp":"2026-03-01T00:00:00Z"},"spec":{"onConfigDelete":")" +
                               std::string(policy) + R"("}})");
    it.answers["read-object uid-photos-cascade"] = said;
  }
  scene it;
};

TEST_F(Cascade, AConfigThatKeepsItsBackupsHasNoFinalizer) {
  put("Retain", "");
  EXPECT_EQ(asks(), nothing);
  put("Retain", R"("finalizers":["kopiur.home-operations.com/backups-cleanup"])");
  EXPECT_EQ(asks(), std::vector<std::string>{"patch-metadata -backups-cleanup"});
}

TEST_F(Cascade, IsHeldFromTheStartAndDeletesOnlyAfterALiveRead) {
  put("Delete", "");
  EXPECT_EQ(asks(), std::vector<std::string>{"patch-metadata +backups-cleanup"});
  it.put_saved("b1", "s1", "/pvc/data");
  put("Delete", doomed);
  EXPECT_EQ(asks(), std::vector<std::string>{"read-object"});
  live("Delete");
  EXPECT_EQ(asks(), std::vector<std::string>{"delete-object b1"});
  it.take_away("Backup", "b1");
  EXPECT_EQ(asks(), std::vector<std::string>{"patch-metadata -backups-cleanup"});
}

TEST_F(Cascade, APolicyThatWasChangedInTimeKeepsTheBackups) {
  it.put_saved("b1", "s1", "/pvc/data");
  put("Delete", doomed);
  live("Retain");
  EXPECT_EQ(asks(), std::vector<std::string>{"patch-metadata -backups-cleanup"});
}

TEST_F(Cascade, OfAScheduleTakesItsOwnBackupsOnly) {
  auto slot = *instant_from("2026-02-01T03:00:00Z");
  auto name = rules::backup_name("nightly", slot, "/pvc/data");
  auto marks =
      R"("annotations":{"kopiur.home-operations.com/schedule-uid":"uid-nightly","kopiur.home-operations.com/slot":"2026-02-01T03:00:00Z"},)"
      R"("labels":{"kopiur.home-operations.com/backup-schedule":"nightly","kopiur.home-operations.com/run":")" +
      rules::slot_run("prod", "uid-nightly", slot, "/pvc/data") + "\"}";
  it.put_saved(name, "s1", "/pvc/data", "nas", marks);
  it.put_saved("a-copy", "s3", "/pvc/data", "nas", marks);
  it.put_saved("b2", "s2", "/pvc/data");
  it.put("BackupSchedule", "nightly", doomed,
         R"("spec":{"configRef":{"name":"photos"},"schedule":{"cron":"0 3 * * *"},"onScheduleDelete":"Delete"})");
  answer said{.code = answer_code::Ok};
  said.object =
      *json::parse(R"({"metadata":{"uid":"uid-nightly","deletionTimestamp":"2026-03-01T00:00:00Z"},"spec":{"onScheduleDelete":"Delete"}})");
  it.answers["read-object uid-nightly-cascade"] = said;
  EXPECT_EQ(asked(it.reconcile_it("BackupSchedule", "nightly")), std::vector<std::string>{"delete-object " + name});
}

}  // namespace
}  // namespace kopiur::plans
