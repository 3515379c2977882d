#include "proto/events/request.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for request.hpp. Descriptions only, because readers are lenient.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<backup_request>) {
  return {.text = "Asks for a Backup.",
          .fields = {{"config", "BackupConfig of the subject's namespace."},
                     {"sourcePath", "Which source of the recipe; absent: all of them."},
                     {"tags", "Tags that kopia keeps with the snapshot."}}};
}
schema::type_notes notes_of(std::type_identity<restore_request>) {
  return {.text = "Asks for a Restore.", .fields = {{"spec", "As Restore.spec."}}};
}
schema::type_notes notes_of(std::type_identity<maintenance_request>) {
  return {.text = "Asks for a maintenance run.",
          .fields = {{"maintenance", "Maintenance of the subject's namespace."}, {"full", "Full maintenance; else quick."}}};
}
schema::type_notes notes_of(std::type_identity<cancel_request>) {
  return {.text = "Asks for a run to be cancelled.", .fields = {{"kind", "Kind of the object whose run it is."}, {"name", "Its name."}}};
}
schema::type_notes notes_of(std::type_identity<request_answer>) {
  return {.text = "What became of a request.",
          .fields = {{"id", "The request's id."},
                     {"accepted", "Whether an object stands for it now."},
                     {"message", "A refusal, as a sentence."},
                     {"kind", "Kind of the object that stands for it."},
                     {"namespace", "Its namespace."},
                     {"name", "Its name."}}};
}

}  // namespace kopiur::proto
