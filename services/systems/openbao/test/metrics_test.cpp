#include <gtest/gtest.h>

#include "services/systems/openbao/metrics.hpp"
#include "services/systems/openbao/test/scene.hpp"

namespace kopiur::openbao {
namespace {

TEST(OpenBaoMetrics, TellOfPhasesLocksAndBackups) {
  test::scene it;
  it.wanted->status.phase = proto::bao_phase::Unknown;
  it.lock("Upgrade", "openbaocluster/upgrade", it.now);
  it.cluster->status.backup = proto::bao_backup_status{.last_backup_time = it.now};
  metrics::registry into;
  measure(it.objects, into);
  auto text = into.text();
  for (auto* each : {R"(kopiur_openbao_restores{namespace="team",phase="Unknown"} 1)",
                     R"(kopiur_openbao_lock_acquired_timestamp_seconds{name="vault",namespace="team",operation="Upgrade"} 1800000000)",
                     R"(openbao_backup_last_success_timestamp_seconds{name="vault",namespace="team"} 1800000000)"})
    EXPECT_NE(text.find(each), std::string::npos) << each << "\n" << text;
}

TEST(OpenBaoMetrics, CountTheEndsOfRestoresAndBackups) {
  test::scene it;
  metrics::registry into;
  it.run.outcome = proto::run_outcome::Unknown;
  count(proto::run_finished{}, it.run, into);
  EXPECT_NE(into.text().find(R"(openbao_restore_total{namespace="team",outcome="Unknown"} 1)"), std::string::npos) << into.text();
}

}  // namespace
}  // namespace kopiur::openbao
