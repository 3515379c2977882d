#include "proto/buckety/buckety.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for buckety.hpp.
namespace kopiur::proto {

namespace {

/// The field is set once, at creation; to add or to remove it later is a change too.
template <schema::member_name Field>
schema::rule immutable(std::string_view hint) {
  static std::string const field = "spec." + std::string(Field.view()), says = field + " is immutable.";
  std::string name(Field.view()), now = "self.spec." + name, before = "oldSelf.spec." + name;
  return {.cel = "has(" + now + ") == has(" + before + ") && (!has(" + now + ") || " + now + " == " + before + ")",
          .message = says,
          .hint = hint,
          .field = field,
          .holds_after = [](json::value const& self, json::value const& old) {
            auto *mine = self.at(field), *former = old.at(field);
            return mine && former ? *mine == *former : !mine == !former;
          }};
}

}  // namespace

schema::type_notes notes_of(std::type_identity<default_access>) {
  return {.text = "The access of a single consumer. It is replaced by the first BucketyAccess that names this Buckety.",
          .fields = {{"role", "What the consumer may do: Reader (or ReadOnly), Writer, ReadWrite."},
                     {"credentialsSecretName", "The Secret that is made for the consumer, in this namespace.", schema::object_name}}};
}
schema::type_notes notes_of(std::type_identity<buckety_spec>) {
  return {
      .text = "Which resource, on which backing service.",
      .fields = {
          {"backend", "A backend of the controller's configuration. Immutable.", {.min_length = 1, .max_length = 253}},
          {"name",
           "The name of the resource on the backend: a text with ${name}, ${namespace}, ${label['KEY']} and ${backend.KEY}. Default: the "
           "object's name. Immutable, and resolved once.",
           {.min_length = 1, .max_length = 1024}},
          {"parameters", "Settings of the resource, under the names that its driver documents.", {}, {.max_length = 65536}, {}, 256},
          {"retentionPolicy", "What happens to the resource when this object is deleted. An adopted one is never deleted."},
          {"adoption", "Which existing resource may be taken over: only an empty one (AdoptEmpty), or any (Adopt)."},
          {"defaultAccess", "Makes a BucketyAccess of the same name, for a single consumer."}}};
}
schema::type_notes notes_of(std::type_identity<buckety_status>) {
  return {.text = "The resource.",
          .fields = {{"observedGeneration", "The metadata.generation that is in effect, with the Secret of the default access."},
                     {"backend", "The backend that the resource is on. Set once."},
                     {"driver", "The driver of that backend. Set once."},
                     {"driverMajor", "The major version of the driver that made it. Set once."},
                     {"driverBuildVersion", "The version of the driver that looked at it last."},
                     {"backendStore", "The service that the resource is on, whatever backend names it. Set once."},
                     {"backendResourceName", "The name of the resource on its backend. Set once."},
                     {"connection",
                      "How consumers reach the resource: what the Secret of an access has besides credentials, under the same keys."},
                     {"provenance", "Created: it was made for this object. Adopted: it existed before. Set once."},
                     {"conditions",
                      "Ready, Reconciling; while they hold: BackendUnavailable, DriverVersionIncompatible, ParameterDrift, "
                      "BlockedByAccesses, BlockedByRepositories.",
                      {},
                      {},
                      {},
                      {},
                      "type"}}};
}
schema::type_notes notes_of(std::type_identity<buckety>) {
  schema::type_notes out{.text = "A Buckety is a named resource on a backing service, such as a bucket."};
  out.rules = {immutable<"backend">("Make another Buckety for another backend."),
               immutable<"name">("Make another Buckety for another name.")};
  return out;
}

}  // namespace kopiur::proto
