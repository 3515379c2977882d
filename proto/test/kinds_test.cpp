#include <gtest/gtest.h>

#include <set>

#include "common/json/codec.hpp"
#include "proto/events/run.hpp"
#include "proto/events/status.hpp"
#include "proto/kinds.hpp"
#include "proto/subjects.hpp"

namespace kopiur::proto {
namespace {

TEST(Kinds, AreUntouchedWhenNothingIsSet) {
  boost::mp11::mp_for_each<boost::mp11::mp_transform<std::type_identity, own_kinds>>([](auto id) {
    using kind = typename decltype(id)::type;
    EXPECT_EQ(json::write(kind{}), "{}") << kind::info.kind;
    EXPECT_TRUE(json::read<kind>("{}")) << kind::info.kind;
  });
}

TEST(Kinds, HaveNamesOfTheirOwn) {
  std::set<std::string_view> seen;
  boost::mp11::mp_for_each<boost::mp11::mp_transform<std::type_identity, own_kinds>>([&](auto id) {
    auto info = decltype(id)::type::info;
    for (auto name : {info.kind, info.plural, info.singular}) EXPECT_TRUE(seen.insert(name).second) << name;
    if (!info.short_name.empty()) {
      EXPECT_TRUE(seen.insert(info.short_name).second) << info.short_name;
    }
  });
}

TEST(Kinds, SayWhoseTheyAreAndWhatTheirStatusHas) {
  boost::mp11::mp_for_each<boost::mp11::mp_transform<std::type_identity, own_kinds>>([](auto id) {
    using kind = typename decltype(id)::type;
    EXPECT_EQ(kind::info.ownership, kind_ownership::Own) << kind::info.kind;
    EXPECT_FALSE(kind::info.system.empty() || group_of(kind::info).empty() || kind::info.columns.empty()) << kind::info.kind;
    EXPECT_EQ(kind::info.observes_generation, (requires(kind one) { one.status.observed_generation; })) << kind::info.kind;
  });
  for (auto& each : infos_of(core_kinds{})) {
    EXPECT_EQ(each.ownership, kind_ownership::Kubernetes) << each.kind;
    EXPECT_TRUE(each.system.empty() && group_of(each).empty()) << each.kind;
  }
  EXPECT_EQ(group_of(storage_class::info), "storage.k8s.io");
  EXPECT_EQ(version_of(storage_class::info), "v1");
  EXPECT_EQ(version_of(secret::info), "v1");
}

/// A cluster may lack a foreign kind; one of kopiur's own is never optional.
TEST(Kinds, ThatAClusterMayLackAreForeign) {
  for (auto& each : infos_of(foreign_kinds{})) EXPECT_EQ(each.ownership, kind_ownership::Foreign) << each.kind;
  for (auto& each : infos_of(required_kinds{})) {
    EXPECT_NE(each.ownership, kind_ownership::Foreign) << each.kind;
    EXPECT_FALSE(is_foreign(each.kind)) << each.kind;
  }
  EXPECT_TRUE(is_foreign("VolumeSnapshotClass") && is_foreign("HostedControlPlane") && is_foreign("HostedCluster"));
  EXPECT_EQ(hosted_cluster::info.system, etcd_backup::info.system) << "it is watched only where that system is on";
  EXPECT_EQ(subjects::kind_state("local", "VolumeSnapshotClass"), "kopiur.v1.resource.local.VolumeSnapshotClass.-.-");
}

/// HyperShift's definition prunes an `observedGeneration`, and refuses an empty status.
TEST(Kinds, WriteOfAnEtcdBackupsStatusOnlyWhatIsKnown) {
  EXPECT_FALSE(hcp_etcd_backup::info.observes_generation || etcd_backup::info.observes_generation);
  EXPECT_EQ(json::write(hcp_etcd_backup_status{}) + json::write(etcd_backup_status{}), "{}{}");
  hcp_etcd_backup_status known{.snapshot_URL = "s3://b/1.db",
                               .encryption_metadata = artifact_encryption{.aws = aws_artifact_key{.kms_key_ARN = "arn"}}};
  EXPECT_EQ(json::write(known), R"({"snapshotURL":"s3://b/1.db","encryptionMetadata":{"aws":{"kmsKeyARN":"arn"}}})");
  etcd_backup_status open{.encryption_metadata = etcd_encryption_metadata{}};
  EXPECT_EQ(json::write(open), R"({"encryptionMetadata":{"kmsEncryption":"Disabled"}})");
}

/// With values that only a later version of HyperShift knows.
TEST(Kinds, ReadOfAHostedControlPlaneWhatABackupNeeds) {
  auto one = json::read<hosted_control_plane>(R"({"metadata":{"annotations":{"hypershift.openshift.io/cluster":"clusters/prod"}},
    "spec":{"etcd":{"managementType":"Managed","managed":{"storage":{"type":"PersistentVolume"}}},
            "secretEncryption":{"type":"kms","kms":{"provider":"AWS","aws":{"region":"us-east-1","activeKey":{"arn":"arn:aws:kms:x"}}}}}})");
  ASSERT_TRUE(one) << one.error().text();
  EXPECT_EQ(one->metadata.annotations.at(std::string(annotation::hosted_cluster)), "clusters/prod");
  EXPECT_EQ(one->spec.etcd.management_type, "Managed");
  EXPECT_EQ(one->spec.secret_encryption->kms->aws->active_key.arn, "arn:aws:kms:x");
  auto azure = json::read<hosted_control_plane>(R"({"spec":{"secretEncryption":{"type":"later","kms":{"provider":"Azure",
    "azure":{"activeKey":{"keyVaultName":"v","keyName":"k","keyVersion":"1"}}}}}})");
  ASSERT_TRUE(azure) << azure.error().text();
  auto& key = azure->spec.secret_encryption->kms->azure->active_key;
  EXPECT_EQ(key.key_vault_name + "/" + key.key_name + "/" + key.key_version, "v/k/1");
  auto cluster = json::read<hosted_cluster>(R"({"status":{"lastSuccessfulEtcdBackupURL":"s3://b/1.db","version":{}}})");
  ASSERT_TRUE(cluster) << cluster.error().text();
  EXPECT_EQ(cluster->status.last_successful_etcd_backup_URL, "s3://b/1.db");
}

TEST(Kinds, ReadAHookAsOneActionWithSiblings) {
  auto config = json::read<backup_config>(R"({"spec":{"hooks":{"beforeSnapshot":[
    {"httpRequest":{"url":"http://x","headers":[{"name":"A","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}}]},"continueOnFailure":true}]}}})");
  ASSERT_TRUE(config) << config.error().text();
  auto& hook = config->spec.hooks->before_snapshot.at(0);
  EXPECT_TRUE(hook.continue_on_failure);
  EXPECT_EQ(std::get<http_request_hook>(hook.action).headers.at(0).value_from->secret_key_ref.key, "k");
}

TEST(Kinds, ReadAClusterRepositoryWithTheCommonFieldsBesideItsOwn) {
  auto text = R"({"spec":{"backend":{"s3":{"bucket":"b"}},"suspend":true,"allowedNamespaces":{"all":true}}})";
  auto one = json::read<cluster_repository>(text);
  ASSERT_TRUE(one) << one.error().text();
  EXPECT_TRUE(one->spec.common.suspend);
  EXPECT_TRUE(std::get<namespaces_all>(one->spec.allowed_namespaces).yes);
  auto back = json::encode(*one);
  ASSERT_TRUE(back.at("spec.allowedNamespaces.all"));
  EXPECT_EQ(*back.at("spec.allowedNamespaces.all"), json::value(true));
  EXPECT_EQ(back.text("spec.backend.s3.bucket"), "b");
}

TEST(Kinds, KeepMaintenanceDefaultsWhereOneFieldIsGiven) {
  auto one = json::read<maintenance>(R"({"spec":{"failurePolicy":{"backoffLimit":5},"schedule":{"quick":{"jitter":"10m"}}}})");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->spec.failure_policy.active_deadline_seconds, 14400);
  EXPECT_EQ(one->spec.schedule.quick.cron, "0 */6 * * *");
}

}  // namespace
}  // namespace kopiur::proto
