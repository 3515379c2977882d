#include "proto/core/object_ref.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for object_ref.hpp. Descriptions only, because readers are lenient.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<object_ref>) {
  return {.text = "One object of a cluster.",
          .fields = {{"kind", "Its kind, as in Backup."},
                     {"namespace", "Its namespace; empty for a cluster-scoped kind."},
                     {"name", "Its name."},
                     {"uid", "Its uid; empty while it is not known."}}};
}

}  // namespace kopiur::proto
