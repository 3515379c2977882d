#include "proto/core/failure.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for failure.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<run_failure>) {
  return {.text = "Why a run failed.",
          .fields = {{"class", "The cause, as one word; the documentation has advice for each."},
                     {"message", "A sentence: what, why, how to fix."},
                     {"stderrTail", "The program's last line of output, without secrets."},
                     {"retryable", "Whether another attempt makes sense."}}};
}

}  // namespace kopiur::proto
