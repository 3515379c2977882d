#include "proto/events/request.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for request.hpp. Descriptions only, because readers are lenient.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<backup_request>) {
  return {.text = "Requests a Backup.",
          .fields = {{"config", "Name of a BackupConfig in the namespace of the NATS subject."},
                     {"sourcePath", "Path of one source of the BackupConfig. Default: all sources."},
                     {"tags", "Tags that kopia stores with the snapshot."}}};
}
schema::type_notes notes_of(std::type_identity<restore_request>) {
  return {.text = "Requests a Restore.", .fields = {{"spec", "The spec of the Restore, as in its manifest."}}};
}
schema::type_notes notes_of(std::type_identity<maintenance_request>) {
  return {.text = "Requests a maintenance run.",
          .fields = {{"maintenance", "Name of a Maintenance in the namespace of the NATS subject."},
                     {"full", "true: full maintenance; false: quick maintenance."}}};
}
schema::type_notes notes_of(std::type_identity<cancel_request>) {
  return {.text = "Requests that a run is cancelled.",
          .fields = {{"kind", "Kind of the object whose run to cancel."}, {"name", "Name of that object."}}};
}
schema::type_notes notes_of(std::type_identity<request_answer>) {
  return {.text = "Result of a request.",
          .fields = {{"id", "The request's id."},
                     {"accepted", "Whether the request was accepted: an object was created or changed for it."},
                     {"message", "Why the request was refused, as a sentence."},
                     {"kind", "Kind of the object that was created or changed."},
                     {"namespace", "Its namespace."},
                     {"name", "Its name."}}};
}

}  // namespace kopiur::proto
