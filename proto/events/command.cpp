#include "proto/events/command.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for command.hpp. Descriptions only, because readers are lenient.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<create_object>) {
  return {.text = "Creates an object, once.", .fields = {{"object", "The whole object."}}};
}
schema::type_notes notes_of(std::type_identity<apply_object>) {
  return {.text = "Creates an object, or replaces its spec, labels and annotations.",
          .fields = {{"object", "The object; its status is not taken."}}};
}
schema::type_notes notes_of(std::type_identity<patch_metadata>) {
  return {.text = "Changes metadata of exactly this uid.",
          .fields = {{"object", "Which object."},
                     {"addFinalizers", "Finalizers that must stand on it."},
                     {"removeFinalizers", "Finalizers that must not."},
                     {"labels", "Labels to set."},
                     {"annotations", "Annotations to set."},
                     {"removeAnnotations", "Annotations that must not stand on it."}}};
}
schema::type_notes notes_of(std::type_identity<delete_object>) {
  return {.text = "Asks for the deletion of exactly this uid.",
          .fields = {{"object", "Which object."}, {"annotations", "Annotations to set before."}}};
}
schema::type_notes notes_of(std::type_identity<read_object>) {
  return {.text = "Reads an object live.", .fields = {{"object", "Which object."}}};
}
schema::type_notes notes_of(std::type_identity<secret_use>) {
  return {.text = "A key of a Secret, as the mover gets it.",
          .fields = {{"secretNamespace", "Namespace of the Secret."},
                     {"secretName", "Name of the Secret."},
                     {"key", "Key in the Secret."},
                     {"env", "Environment variable that carries it."},
                     {"file", "File that carries it."},
                     {"optional", "Whether it may be missing."}}};
}
schema::type_notes notes_of(std::type_identity<volume_use>) {
  return {.text = "A volume of the mover.",
          .fields = {{"name", "source, target or repository."},
                     {"claimNamespace", "Namespace of the claim."},
                     {"claimName", "The claim; empty: a folder of the host."},
                     {"hostPath", "Folder of the host, outside a cluster only."},
                     {"readOnly", "Mounted without writing."}}};
}
schema::type_notes notes_of(std::type_identity<lease_proof>) {
  return {.text = "A lease that an act depends on.",
          .fields = {{"key", "What is leased."}, {"fence", "The fence of the grant."}, {"mode", "Whether it is shared."}}};
}
schema::type_notes notes_of(std::type_identity<record_event>) {
  return {.text = "Writes a Kubernetes Event about an object.",
          .fields = {
              {"object", "Which object."}, {"type", "Normal or Warning."}, {"reason", "One CamelCase word."}, {"message", "A sentence."}}};
}
schema::type_notes notes_of(std::type_identity<answer>) {
  return {.text = "What came of a command.",
          .fields = {{"code", "Ok, or why not."},
                     {"message", "A sentence, when it is not Ok."},
                     {"uid", "The object's uid."},
                     {"resourceVersion", "The object's resourceVersion."},
                     {"object", "What was read; never a Secret's values."}}};
}

}  // namespace kopiur::proto
