#include "services/gateway/adapters/local/admission.hpp"

#include "services/gateway/test/folder.hpp"

namespace kopiur::gateway::local {
namespace {

TEST(Admission, NamesTheFieldAndTheWayOut) {
  auto wrong =
      admission(manifest("BackupSchedule", "nightly", R"({"configRef":{"name":"photos"},"schedule":{"cron":"61 * * * *"}})"), nullptr);
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_EQ(wrong[0].field, "spec.schedule.cron");
  EXPECT_TRUE(
      admission(manifest("BackupSchedule", "nightly", R"({"configRef":{"name":"photos"},"schedule":{"cron":"H 3 * * *"}})"), nullptr)
          .empty());
  EXPECT_FALSE(admission(manifest("Backupp", "x"), nullptr).empty());
}

TEST(Admission, LetsOtherGroupsPass) {
  EXPECT_TRUE(admission(parsed_json(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{}})"), nullptr).empty());
  EXPECT_TRUE(admission(parsed_json(R"({"apiVersion":"kopiur.home-operations.community/v1","kind":"X","metadata":{"name":"c"}})"), nullptr)
                  .empty());
}

TEST(Admission, HoldsTheRulesAboutChanges) {
  auto before = manifest("Backup", "b", R"({"configRef":{"name":"photos"}})");
  before.set("status", parsed_json(R"({"phase":"Succeeded"})"));
  EXPECT_FALSE(admission(manifest("Backup", "b", R"({"configRef":{"name":"music"}})"), &before).empty());
  EXPECT_TRUE(admission(manifest("Backup", "b", R"({"configRef":{"name":"photos"},"pin":true})"), &before).empty());
}

}  // namespace
}  // namespace kopiur::gateway::local
