#pragma once
#include "proto/events/command.hpp"
#include "proto/events/lease.hpp"
#include "proto/events/request.hpp"
#include "proto/events/run.hpp"
#include "proto/events/status.hpp"
#include "proto/schema/notes.hpp"

/// What the schemas say of the events: sentences only, readers are lenient.
namespace kopiur::proto {

inline schema::type_notes notes_of(std::type_identity<object_ref>) {
  return {.text = "One object of a cluster.",
          .fields = {{"kind", "Its kind, as in Backup."},
                     {"namespace", "Its namespace; empty for a cluster-scoped kind."},
                     {"name", "Its name."},
                     {"uid", "Its uid; empty while it is not known."}}};
}

// Requests

inline schema::type_notes notes_of(std::type_identity<backup_request>) {
  return {.text = "Asks for a Backup.",
          .fields = {{"config", "BackupConfig of the subject's namespace."},
                     {"sourcePath", "Which source of the recipe; absent: all of them."},
                     {"tags", "Tags that kopia keeps with the snapshot."}}};
}
inline schema::type_notes notes_of(std::type_identity<restore_request>) {
  return {.text = "Asks for a Restore.", .fields = {{"spec", "As Restore.spec."}}};
}
inline schema::type_notes notes_of(std::type_identity<maintenance_request>) {
  return {.text = "Asks for a maintenance run.",
          .fields = {{"maintenance", "Maintenance of the subject's namespace."}, {"full", "Full maintenance; else quick."}}};
}
inline schema::type_notes notes_of(std::type_identity<cancel_request>) {
  return {.text = "Asks for a run to be cancelled.", .fields = {{"kind", "Kind of the object whose run it is."}, {"name", "Its name."}}};
}
inline schema::type_notes notes_of(std::type_identity<request_answer>) {
  return {.text = "What became of a request.",
          .fields = {{"id", "The request's id."},
                     {"accepted", "Whether an object stands for it now."},
                     {"message", "A refusal, as a sentence."},
                     {"kind", "Kind of the object that stands for it."},
                     {"namespace", "Its namespace."},
                     {"name", "Its name."}}};
}

// Leases

inline schema::type_notes notes_of(std::type_identity<lease_holder>) {
  return {.text = "A run that holds the lease.",
          .fields = {{"cluster", "Cluster of the run."},
                     {"run", "The run."},
                     {"mode", "Shared or Exclusive."},
                     {"until", "Past this it may be taken over, once its pods are proven gone."},
                     {"fence", "Grows with every grant."}}};
}
inline schema::type_notes notes_of(std::type_identity<lease_waiter>) {
  return {.text = "A run that waits for the lease.",
          .fields = {{"cluster", "Cluster of the run."},
                     {"run", "The run."},
                     {"mode", "Shared or Exclusive."},
                     {"priority", "Restore before Manual before Scheduled before Background."},
                     {"since", "When it asked first."},
                     {"until", "A waiter that does not ask again by then is forgotten."}}};
}
inline schema::type_notes notes_of(std::type_identity<lease_state>) {
  return {.text = "Holders and waiters of one key.",
          .fields = {{"key", "What is leased, as in repo/<unique id>."},
                     {"holders", "Who holds it."},
                     {"waiters", "Who waits, in the order in which they are served."}}};
}
inline schema::type_notes notes_of(std::type_identity<acquire_lease>) {
  return {.text = "Asks for a lease.",
          .fields = {{"key", "What is leased."},
                     {"cluster", "Cluster of the run."},
                     {"run", "The run that would hold it."},
                     {"mode", "Shared or Exclusive."},
                     {"priority", "Who is served first."}}};
}
inline schema::type_notes notes_of(std::type_identity<renew_lease>) {
  return {.text = "Keeps a lease for another 30 s.",
          .fields = {{"key", "What is leased."}, {"cluster", "Cluster of the run."}, {"run", "The run that holds it."}}};
}
inline schema::type_notes notes_of(std::type_identity<release_lease>) {
  return {.text = "Gives a lease back, or gives up waiting.",
          .fields = {{"key", "What is leased."}, {"cluster", "Cluster of the run."}, {"run", "The run that holds it or waits."}}};
}

// Commands to the gateway, and what came of them

inline schema::type_notes notes_of(std::type_identity<create_object>) {
  return {.text = "Creates an object, once.", .fields = {{"object", "The whole object."}}};
}
inline schema::type_notes notes_of(std::type_identity<apply_object>) {
  return {.text = "Creates an object, or replaces its spec, labels and annotations.",
          .fields = {{"object", "The object; its status is not taken."}}};
}
inline schema::type_notes notes_of(std::type_identity<patch_metadata>) {
  return {.text = "Changes metadata of exactly this uid.",
          .fields = {{"object", "Which object."},
                     {"addFinalizers", "Finalizers that must stand on it."},
                     {"removeFinalizers", "Finalizers that must not."},
                     {"labels", "Labels to set."},
                     {"annotations", "Annotations to set."},
                     {"removeAnnotations", "Annotations that must not stand on it."}}};
}
inline schema::type_notes notes_of(std::type_identity<delete_object>) {
  return {.text = "Asks for the deletion of exactly this uid.",
          .fields = {{"object", "Which object."}, {"annotations", "Annotations to set before."}}};
}
inline schema::type_notes notes_of(std::type_identity<read_object>) {
  return {.text = "Reads an object live.", .fields = {{"object", "Which object."}}};
}
inline schema::type_notes notes_of(std::type_identity<secret_use>) {
  return {.text = "A key of a Secret, as the mover gets it.",
          .fields = {{"secretNamespace", "Namespace of the Secret."},
                     {"secretName", "Name of the Secret."},
                     {"key", "Key in the Secret."},
                     {"env", "Environment variable that carries it."},
                     {"file", "File that carries it."},
                     {"optional", "Whether it may be missing."}}};
}
inline schema::type_notes notes_of(std::type_identity<volume_use>) {
  return {.text = "A volume of the mover.",
          .fields = {{"name", "source, target or repository."},
                     {"claimNamespace", "Namespace of the claim."},
                     {"claimName", "The claim; empty: a folder of the host."},
                     {"hostPath", "Folder of the host, outside a cluster only."},
                     {"readOnly", "Mounted without writing."}}};
}
inline schema::type_notes notes_of(std::type_identity<lease_proof>) {
  return {.text = "A lease that an act depends on.",
          .fields = {{"key", "What is leased."}, {"fence", "The fence of the grant."}, {"mode", "Whether it is shared."}}};
}
inline schema::type_notes notes_of(std::type_identity<record_event>) {
  return {.text = "Writes a Kubernetes Event about an object.",
          .fields = {
              {"object", "Which object."}, {"type", "Normal or Warning."}, {"reason", "One CamelCase word."}, {"message", "A sentence."}}};
}
inline schema::type_notes notes_of(std::type_identity<answer>) {
  return {.text = "What came of a command.",
          .fields = {{"code", "Ok, or why not."},
                     {"message", "A sentence, when it is not Ok."},
                     {"uid", "The object's uid."},
                     {"resourceVersion", "The object's resourceVersion."},
                     {"object", "What was read; never a Secret's values."}}};
}
inline schema::type_notes notes_of(std::type_identity<source>) {
  return {.text = "The fact or resource that something was made from.",
          .fields = {{"sequence", "Its sequence in its stream."}, {"at", "When it came there."}}};
}
inline schema::type_notes notes_of(std::type_identity<status_claim>) {
  return {.text = "One service's share of an object's status.",
          .fields = {{"uid", "The object's uid; it is written to that one only."},
                     {"madeFrom", "What it was made from: a share that was made from something older is not written over it."},
                     {"observedGeneration", "The generation that it is about."},
                     {"status", "Merged into the object's status (RFC 7386)."},
                     {"conditions", "Merged by type."}}};
}
inline schema::type_notes notes_of(std::type_identity<condition_claim>) {
  return {.text = "A condition as a service states it.",
          .fields = {{"type", "Name of the condition."},
                     {"status", "True, False or Unknown."},
                     {"reason", "One CamelCase word."},
                     {"message", "A sentence."}}};
}

// Runs

inline schema::type_notes notes_of(std::type_identity<run_order>) {
  return {.text = "Why a run exists.",
          .fields = {{"plan", "connect, backup, restore, delete, maintain, discover ..."},
                     {"object", "Whom it is for first of all."},
                     {"create", "A manifest that has to exist before the run is prepared."},
                     {"parameters", "The plan's own."},
                     {"slot", "The schedule's base slot."}}};
}
inline schema::type_notes notes_of(std::type_identity<run_fact>) {
  return {.text = "What happened to a run, and the state after it.",
          .fields = {{"event", "What happened: exactly one member, in the past tense."}, {"state", "The whole state after it."}}};
}

}  // namespace kopiur::proto
