#pragma once
#include <optional>
#include <string>

#include "proto/events/command.hpp"
#include "services/controller/core/objects.hpp"

/// When waiting for an object ends, and what to show until then. Pure. No text holds control characters other than line breaks.
namespace kopiur::cli {

struct ending {
  bool good = false;
  std::string text;  ///< a sentence
};

/// The result; empty while it is still open or unknown. Backups and Restores end by their phase; a repository ends when it is Ready or
/// Failed; a claim ends when it is bound; any other kind ends as soon as the object exists.
std::optional<ending> ended(controller::objects const& all, proto::object_ref const& object);
/// The phase and, where known, why it does not change.
std::string meanwhile(controller::objects const& all, proto::object_ref const& object);
/// The run that works on the object now; empty when there is none.
std::string run_of(controller::objects const& all, proto::object_ref const& object);
/// `hashing  42% [########------------]  1.2 GiB read, 300 MiB uploaded, 1200 files`; what is not known is left out.
std::string progress_text(proto::kopia_progress const& progress);

}  // namespace kopiur::cli
