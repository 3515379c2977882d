#include "proto/openbao/openbao_restore.hpp"

#include "proto/schema/text_form.hpp"

/// Schema notes for openbao_restore.hpp.
namespace kopiur::proto {

namespace {

constexpr schema::limits digest{.pattern = "^sha256:[0-9a-f]{64}$", .pattern_says = "`sha256:` and 64 hexadecimal digits"};

constexpr std::string_view fresh_target = "kopiur restores into existing clusters only: it makes none.",
                           make_it = "Remove it, and create the OpenBaoCluster first.";
constexpr std::string_view not_in_snapshot = "A snapshot does not say of which cluster or version it is, so kopiur cannot check that.",
                           pin = "Remove it, and pin the snapshot by expectedDigest.";

}  // namespace

schema::type_notes notes_of(std::type_identity<bao_source>) {
  return {
      .text = "The snapshot.",
      .fields = {{"key", "The whole path of the object in the bucket.", {.min_length = 1, .max_length = 1024}},
                 {.field = "target", .text = "The object store.", .required = true},
                 {"expectedDigest", "The SHA-256 of the snapshot: another one is not restored.", digest},
                 {"expectedSize", "The size of the snapshot in bytes.", {.min = 1, .max = 8589934592}},
                 {"expectedClusterID", "Refused: a snapshot does not say it.", {.max_length = 128}},
                 {"expectedVersion", "Refused: a snapshot does not say it.", {.max_length = 64}}},
      .rules = {schema::not_done<"expectedClusterID">(not_in_snapshot, pin), schema::not_done<"expectedVersion">(not_in_snapshot, pin)}};
}
schema::type_notes notes_of(std::type_identity<openbao_restore_spec>) {
  return {
      .text = "What is restored, and where. It never changes.",
      .fields = {{"cluster", "The OpenBaoCluster of this namespace. All that it has is replaced.", {.min_length = 1, .max_length = 253}},
                 {.field = "source", .text = "The snapshot.", .required = true},
                 {"jwtAuthRole", "The role of OpenBao's mount `jwt-operator` that the Job logs in with. It wins over a token."},
                 {"tokenSecretRef", "A Secret of this namespace, with a token of OpenBao in the key `token`."},
                 {"image", "The program of the Job, if it is not kopiur's own.", {.min_length = 1, .max_length = 1024}},
                 {"force", "Restore onto a cluster that is not initialized, is being upgraded, or has other unseal keys."},
                 {"overrideOperationLock", "Take the operation lock from a backup or an upgrade. Needs force."},
                 {"clusterTemplate", "Refused: kopiur makes no OpenBaoCluster."},
                 {"targetLifecycle", "Refused: it belongs to clusterTemplate."},
                 {"cleanupAfterSeconds", "Refused: it belongs to clusterTemplate."}},
      .rules = {
          schema::immutable("An OpenBaoRestore never changes.", "Create another OpenBaoRestore."),
          {.cel = "!self.overrideOperationLock || self.force",
           .message = "overrideOperationLock needs force: true.",
           .hint = "Set force as well, if the lock's holder is surely dead; or leave both out.",
           .field = "overrideOperationLock",
           .holds = [](json::value const& self) { return !schema::flag(self, "overrideOperationLock") || schema::flag(self, "force"); }},
          {.cel = "!has(self.tokenSecretRef) || !self.tokenSecretRef.name.matches('-(unseal-key|root-token|tls-ca|tls-server)$')",
           .message = "This Secret is OpenBao's own, and must not be used as a token.",
           .hint = "Name a Secret with a token that may update sys/storage/raft/snapshot.",
           .field = "tokenSecretRef",
           .holds = [](json::value const& self) { return !is_of_openbao(self.text("tokenSecretRef.name")); }},
          schema::not_done<"clusterTemplate">(fresh_target, make_it),
          schema::not_done<"targetLifecycle">(fresh_target, make_it),
          schema::not_done<"cleanupAfterSeconds">(fresh_target, make_it)}};
}
schema::type_notes notes_of(std::type_identity<bao_execution>) {
  return {.text = "The receipts of the execution.",
          .fields = {{"targetUID", "The uid of the OpenBaoCluster."},
                     {"operationID", "The uid of this object."},
                     {"stage", "From Committed on there may be a Job, which is never created a second time."},
                     {"jobName", "The Job."},
                     {"jobUID", "Its uid, once it was seen."},
                     {"preparedAt", "When the plan was made."},
                     {"committedAt", "When it was decided to create the Job."},
                     {"createdAt", "When the Job was first seen."},
                     {"terminalResult", "How the Job ended."},
                     {"terminalObservedAt", "When that was seen."},
                     {"followThroughCompletedAt", "When the cluster was healthy again, and the lock was released."}}};
}
schema::type_notes notes_of(std::type_identity<bao_submission_claim>) {
  return {.text = "Which pod has submitted the snapshot to OpenBao, or was about to. Only one pod ever does.",
          .fields = {{"podUID", "The pod of the Job."},
                     {"targetPodName", "The leader that it submits to."},
                     {"targetPodUID", "The uid of that pod."},
                     {"targetPodIP", "Its address."},
                     {"targetContainerID", "Its container."},
                     {"digest", "The SHA-256 of what is submitted."},
                     {"size", "Its size in bytes."},
                     {"claimedAt", "When the claim was written."}}};
}
schema::type_notes notes_of(std::type_identity<openbao_restore_status>) {
  return {
      .text = "How the restore stands.",
      .fields = {{"phase", "Completed: OpenBao accepted the snapshot, and its voters are healthy. Unknown: it may have been submitted."},
                 {"startTime", "When the checks began."},
                 {"completionTime", "When it was over."},
                 {"snapshotKey", "The key of the snapshot."},
                 {"snapshotSize", "Its size in bytes."},
                 {"message", "What happens, what is waited for, or why it failed."},
                 {"execution", "The receipts of the execution."},
                 {"submissionClaim", "Which pod submits the snapshot."},
                 {.field = "conditions", .text = "RestoreComplete, OperationLockOverride.", .map_key = "type"}}};
}
schema::type_notes notes_of(std::type_identity<openbao_restore>) {
  return {.text = "An OpenBaoRestore replaces the content of an OpenBao cluster by a snapshot, at most once."};
}

}  // namespace kopiur::proto
