#include "proto/core/job.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for job.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<secret_use>) {
  return {.text = "A key of a Secret or ConfigMap that the program receives.",
          .fields = {{"secretNamespace", "Namespace of the Secret."},
                     {"secretName", "Name of the Secret."},
                     {"key", "Key in the Secret."},
                     {"env", "Environment variable that contains the value."},
                     {"file", "File that contains the value."},
                     {"optional", "Whether the key may be missing."}}};
}
schema::type_notes notes_of(std::type_identity<volume_use>) {
  return {.text = "A volume of a Job.",
          .fields = {{"name", "Name of the mount."},
                     {"claimNamespace", "Namespace of the claim."},
                     {"claimName", "The claim; empty: an NFS export or a folder of the host."},
                     {"hostPath", "Folder of the host, outside a cluster only."},
                     {"readOnly", "Mount it read-only."}}};
}
schema::type_notes notes_of(std::type_identity<lease_proof>) {
  return {.text = "A lease that a command depends on.",
          .fields = {{"key", "Key of the lease."}, {"fence", "Fencing token of the grant."}, {"mode", "Shared or Exclusive."}}};
}
schema::type_notes notes_of(std::type_identity<nfs_volume>) {
  return {.text = "An NFS export.",
          .fields = {{"server", "Host name or address of the NFS server.", schema::host_text},
                     {"path", "Exported path, absolute.", schema::path_text}},
          .rules = {schema::filled_in<"path">()}};
}
schema::type_notes notes_of(std::type_identity<security_context_source>) {
  return {
      .text = "A pod whose security context the mover inherits.",
      .fields = {{"podSelector", "Labels of the pods. If no pod or workload matches, the mover is not started, and kopiur reports that."}}};
}

}  // namespace kopiur::proto
