#include "proto/openbao/openbao_cluster.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for openbao_cluster.hpp. All of it is open: what is written for OpenBao's operator stays.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<bao_network>) {
  return {.text = "The network of the cluster.",
          .fields = {{"egressRules", "NetworkPolicyEgressRules of its Jobs. The profile Hardened needs them for a restore."}},
          .open = true};
}
schema::type_notes notes_of(std::type_identity<bao_tls>) {
  return {.text = "TLS of the cluster.",
          .fields = {{"enabled", "Whether it serves TLS. Its Secret CLUSTER-tls-ca has the certificate in ca.crt."}},
          .open = true};
}
schema::type_notes notes_of(std::type_identity<bao_oidc>) {
  return {.text = "Logins by tokens of service accounts.", .fields = {{"enabled", "Whether the mount jwt-operator exists."}}, .open = true};
}
schema::type_notes notes_of(std::type_identity<bao_self_init>) {
  return {.text = "How the cluster was configured at its start.",
          .fields = {{"oidc", "With it, restores log in by the role openbao-operator-restore."}},
          .open = true};
}
schema::type_notes notes_of(std::type_identity<bao_cluster_backup>) {
  return {.text = "Backups of the cluster. The annotation openbao.org/trigger-backup takes one.",
          .fields = {{"schedule", "Refused: kopiur takes no scheduled backups of OpenBao."},
                     {.field = "target", .text = "The object store.", .required = true},
                     {"jwtAuthRole", "The role of the mount jwt-operator that the Job logs in with. It wins over a token."},
                     {"tokenSecretRef", "A Secret of this namespace, with a token of OpenBao in the key token."},
                     {"image", "The program of the Job, if it is not kopiur's own."},
                     {"restoreTest", "Refused: kopiur takes no test restores of OpenBao."}},
          .rules = {schema::not_done<"schedule">("kopiur takes no scheduled backups of OpenBao.",
                                                 "Remove schedule, and set the annotation openbao.org/trigger-backup, as from a CronJob."),
                    schema::not_done<"restoreTest">("kopiur takes no test restores of OpenBao.",
                                                    "Remove restoreTest, and restore into a cluster of your own by an OpenBaoRestore.")},
          .open = true};
}
schema::type_notes notes_of(std::type_identity<bao_image_verification>) {
  return {.text = "Verification of the operator's images.",
          .fields = {{"enabled", "kopiur verifies no signatures: with it, an image must be pinned by its digest."}},
          .open = true};
}
schema::type_notes notes_of(std::type_identity<openbao_cluster_spec>) {
  return {.text = "An OpenBao cluster, as its operator or its owner runs it.",
          .fields = {{"profile", "Hardened or Development."},
                     {"replicas", "Pods of the StatefulSet; each is a voter.", {.min = 1}},
                     {"network", "The network of the cluster."},
                     {"tls", "TLS of the cluster."},
                     {"selfInit", "How it was configured at its start."},
                     {"backup", "Backups of the cluster."},
                     {"operatorImageVerification", "Verification of images."}},
          .open = true};
}
schema::type_notes notes_of(std::type_identity<bao_operation_lock>) {
  return {.text = "Who works on the cluster; absent: nobody.",
          .fields = {{"operation", "Restore, Backup or Upgrade."},
                     {"holder", "openbaorestore/NAME, openbaocluster/backup or openbaocluster/upgrade."},
                     {"message", "For users."},
                     {"acquiredAt", "Since when the holder has it."},
                     {"renewedAt", "When the holder last said that it works."}},
          .open = true};
}
schema::type_notes notes_of(std::type_identity<bao_blue_green>) {
  return {.text = "An upgrade with two StatefulSets.",
          .fields = {{"phase", "Of the upgrade."}, {"blueRevision", "What the name of the active StatefulSet ends with."}},
          .open = true};
}
schema::type_notes notes_of(std::type_identity<bao_backup_status>) {
  return {.text = "The last backup.",
          .fields = {{"lastBackupTime", "When the last one succeeded."},
                     {"lastAttemptTime", "When the last one ended."},
                     {"lastBackupSize", "Its size in bytes."},
                     {"lastBackupName", "Its key."},
                     {"lastFailureReason", "Why the last one failed; absent: it did not."},
                     {"lastFailureMessage", "The same, as a sentence."},
                     {"lastHandledManualTrigger", "The value of the annotation that the last one was taken for."}},
          .open = true};
}
schema::type_notes notes_of(std::type_identity<openbao_cluster_status>) {
  return {.text = "How the cluster stands. Without OpenBao's operator, its owner writes `initialized`.",
          .fields = {{"phase", "Of the cluster."},
                     {"initialized", "Whether it is initialized: only then it is restored without force."},
                     {.field = "conditions", .text = "Upgrading: True holds up a restore without force.", .map_key = "type"},
                     {"operationLock", "Who works on the cluster; absent: nobody."},
                     {"blueGreen", "An upgrade with two StatefulSets."},
                     {"backup", "The last backup."}},
          .open = true};
}
schema::type_notes notes_of(std::type_identity<openbao_cluster>) {
  return {.text = "An OpenBaoCluster names a cluster of OpenBao pods, which restores and backups work on. kopiur does not run it."};
}

}  // namespace kopiur::proto
