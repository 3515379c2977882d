#include "proto/buckety/buckety_access.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for buckety_access.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<buckety_access_spec>) {
  return {
      .text = "Who gets credentials for which Buckety.",
      .fields = {{"bucketyRef", "The Buckety, in this namespace. Immutable."},
                 {"credentialsSecretName", "The Secret that is made. Immutable.", schema::object_name},
                 {"role", "What the consumer may do: Reader (or ReadOnly), Writer, ReadWrite."},
                 {"parameters", "Settings of the access, under the names that its driver documents.", {}, {.max_length = 65536}, {}, 256}}};
}
schema::type_notes notes_of(std::type_identity<buckety_access_status>) {
  return {.text = "The credentials.",
          .fields = {{"observedGeneration", "The metadata.generation that is in effect."},
                     {"principal", "Whose credentials they are, as the backing service names it."},
                     {"conditions",
                      "Ready; ScopingNotImplemented, while the driver does not restrict the credentials to the role.",
                      {},
                      {},
                      {},
                      {},
                      "type"}}};
}
schema::type_notes notes_of(std::type_identity<buckety_access>) {
  schema::type_notes out{.text = "A BucketyAccess mints credentials for one consumer of a Buckety into one Secret."};
  out.rules = {
      {.cel = "self.spec.bucketyRef.name == oldSelf.spec.bucketyRef.name",
       .message = "spec.bucketyRef is immutable.",
       .hint = "Make another BucketyAccess for another Buckety.",
       .field = "spec.bucketyRef",
       .holds_after = [](json::value const& self,
                         json::value const& old) { return self.text("spec.bucketyRef.name") == old.text("spec.bucketyRef.name"); }},
      {.cel = "self.spec.credentialsSecretName == oldSelf.spec.credentialsSecretName",
       .message = "spec.credentialsSecretName is immutable.",
       .hint = "Make another BucketyAccess for another Secret.",
       .field = "spec.credentialsSecretName",
       .holds_after = [](json::value const& self, json::value const& old) {
         return self.text("spec.credentialsSecretName") == old.text("spec.credentialsSecretName");
       }}};
  return out;
}

}  // namespace kopiur::proto
