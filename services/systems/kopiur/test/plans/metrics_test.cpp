#include "services/systems/kopiur/metrics.hpp"

#include "services/systems/kopiur/test/plans/scene.hpp"

namespace kopiur::plans {
namespace {

using namespace proto;

std::string measured(scene const& it) {
  metrics::registry into;
  measure(it.objects, into);
  return into.text();
}
bool has(std::string const& text, std::string_view line) { return text.find(line) != std::string::npos; }
void put_failed(scene& it, std::string_view name, std::string_view time) {
  it.put("Backup", name, "",
         R"("spec":{"configRef":{"name":"photos"}},"status":{"phase":"Failed","timing":{"endTime":")" + std::string(time) + "\"}}");
}

TEST(Figures, OfAConfigAreItsLastSuccessAndTheFailuresSince) {
  scene it;
  it.put_config("photos");
  it.put_saved("b1", "s1", "/pvc/data");  // ended 2026-02-01
  put_failed(it, "b0", "2026-01-31T00:00:00Z");
  put_failed(it, "b2", "2026-02-02T00:00:00Z");
  put_failed(it, "b3", "2026-02-03T00:00:00Z");
  auto text = measured(it);
  EXPECT_TRUE(has(text, R"(kopia_operator_backup_last_success_timestamp_seconds{backup_config="photos",namespace="prod"} 1769904000)"))
      << text;
  EXPECT_TRUE(has(text, R"(kopia_operator_backup_consecutive_failures{backup_config="photos",namespace="prod"} 2)")) << text;
  it.take_away("BackupConfig", "photos");
  EXPECT_FALSE(has(measured(it), "photos")) << "a series goes with its object";
}

TEST(Figures, CountWhatIsHeldUntilAGoodOneFollows) {
  scene it;
  it.put_config("photos");
  it.put(
      "Backup", "held", "",
      R"("spec":{"configRef":{"name":"photos"}},"status":{"phase":"Held","shrunk":{"snapshot":"s0"},"timing":{"endTime":"2026-01-31T00:00:00Z"},)"
      R"("snapshot":{"kopiaSnapshotID":"s0","identity":{"username":"photos","hostname":"prod","sourcePath":"/pvc/data"}},)"
      R"("resolved":{"repository":{"name":"nas","uniqueID":"id-nas"}}})");
  EXPECT_TRUE(has(measured(it), R"(kopia_operator_backups_held{backup_config="photos",namespace="prod"} 1)")) << measured(it);
  it.put_saved("other", "s1", "/pvc/other");
  EXPECT_TRUE(has(measured(it), R"(kopia_operator_backups_held{backup_config="photos",namespace="prod"} 1)")) << measured(it);
  it.put_saved("b1", "s1", "/pvc/data");
  EXPECT_TRUE(has(measured(it), R"(kopia_operator_backups_held{backup_config="photos",namespace="prod"} 0)")) << measured(it);
}

TEST(Figures, KeepWhenMaintenanceLastSucceededWhileItFails) {
  scene it;
  it.put(
      "Maintenance", "nas", "",
      R"("spec":{"repository":{"name":"nas"}},"status":{"full":{"lastRunAt":"2026-02-03T00:00:00Z","lastSuccessAt":"2026-02-01T00:00:00Z",)"
      R"("consecutiveFailures":2},"quick":{"lastRunAt":"2026-02-03T00:00:00Z","consecutiveFailures":1}})");
  auto text = measured(it);
  EXPECT_TRUE(has(text, R"(kopia_maintenance_last_success_timestamp_seconds{kind="full",maintenance="nas",namespace="prod"} 1769904000)"))
      << text;
  EXPECT_FALSE(has(text, R"(kind="quick")")) << "it never succeeded: " << text;
}

TEST(Figures, CountBytesSavedAndDeletionsThatFailed) {
  metrics::registry into;
  run_fact saved{.event = run_observed{run_outcome::Succeeded},
                 .state = {.order = {.plan = "backup", .object = {"Backup", "prod", "b", "u"}}}};
  saved.state.result = kopia_result{.stats = snapshot_stats{.bytes_new = 1500}};
  count(saved.event, saved.state, into);
  count(saved.event, saved.state, into);
  run_fact failed{.event = run_attempt_failed{}, .state = {.order = {.plan = "delete", .object = {"Repository", "prod", "nas", "u"}}}};
  count(failed.event, failed.state, into);
  auto text = into.text();
  EXPECT_TRUE(has(text, R"(kopia_backup_bytes_total{namespace="prod"} 3000)")) << text;
  EXPECT_TRUE(has(text, R"(kopia_operator_snapshot_deletion_failures_total{repository="nas"} 1)")) << text;
}

TEST(Figures, CountSnapshotsThatStayBehind) {
  scene it;
  it.put_saved("b1", "s1", "/pvc/data");
  metrics::registry into;
  count(record_event{.object = {"Backup", "prod", "b1", "uid-b1"}, .reason = "SnapshotOrphaned", .message = ""}, it.objects, into);
  count(record_event{.object = {"Backup", "prod", "b1", "uid-b1"}, .reason = "Other", .message = ""}, it.objects, into);
  EXPECT_TRUE(has(into.text(), R"(kopia_operator_orphaned_snapshots_total{repository="nas"} 1)")) << into.text();
}

}  // namespace
}  // namespace kopiur::plans
