#include "proto/events/command.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for command.hpp. Descriptions only, because readers are lenient.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<create_object>) {
  return {.text = "Creates an object, once.", .fields = {{"object", "The whole object."}}};
}
schema::type_notes notes_of(std::type_identity<apply_object>) {
  return {.text = "Creates an object, or replaces its spec, labels and annotations.",
          .fields = {{"object", "The object; its status is ignored."}}};
}
schema::type_notes notes_of(std::type_identity<patch_metadata>) {
  return {.text = "Changes metadata of the object with exactly this uid.",
          .fields = {{"object", "Which object."},
                     {"addFinalizers", "Finalizers to add."},
                     {"removeFinalizers", "Finalizers to remove."},
                     {"labels", "Labels to set."},
                     {"annotations", "Annotations to set."},
                     {"removeAnnotations", "Annotations to remove."}}};
}
schema::type_notes notes_of(std::type_identity<delete_object>) {
  return {.text = "Requests the deletion of the object with exactly this uid.",
          .fields = {{"object", "Which object."}, {"annotations", "Annotations to set before the deletion."}}};
}
schema::type_notes notes_of(std::type_identity<read_object>) {
  return {.text = "Reads an object from the API server, not from a cache.", .fields = {{"object", "Which object."}}};
}
schema::type_notes notes_of(std::type_identity<look_at_secret>) {
  return {.text = "Reads how the credentials in a Secret are to be used; no value is in the answer.",
          .fields = {{"namespace", "Namespace of the Secret."},
                     {"name", "Name of the Secret."},
                     {"cloud", "What the credentials are for: Aws or Azure."}}};
}
schema::type_notes notes_of(std::type_identity<swap_status>) {
  return {.text = "Sets one field of an object's status by a live read and one conditional write.",
          .fields = {{"object", "Which object, with its uid."},
                     {"path", "The field, below status."},
                     {"expect", "What the field must be; null: absent."},
                     {"by", "Members of the field that alone are compared with `expect`; empty: the whole field is."},
                     {"whatever", "The field may be anything; `expect` does not count."},
                     {"set", "The new content; null removes the field."}}};
}
schema::type_notes notes_of(std::type_identity<record_event>) {
  return {.text = "Writes a Kubernetes Event about an object.",
          .fields = {
              {"object", "Which object."}, {"type", "Normal or Warning."}, {"reason", "One CamelCase word."}, {"message", "A sentence."}}};
}
schema::type_notes notes_of(std::type_identity<answer>) {
  return {.text = "Result of a command.",
          .fields = {{"code", "Ok, or the kind of error."},
                     {"message", "The error as a sentence, if the code is not Ok."},
                     {"uid", "The object's uid."},
                     {"resourceVersion", "The object's resourceVersion."},
                     {"object", "The object that was read, without the values of a Secret."}}};
}

}  // namespace kopiur::proto
