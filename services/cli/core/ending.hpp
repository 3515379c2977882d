#pragma once
#include <optional>
#include <string>

#include "proto/events/command.hpp"
#include "services/controller/core/objects.hpp"

/// When waiting for an object is over, and what to say meanwhile. Pure.
namespace kopiur::cli {

struct ending {
  bool good = false;
  std::string text;  ///< a sentence
};

/// How it ended; nothing while it goes on, or is not known yet. Backups and Restores end by their phase; a repository's wait ends when it
/// is Ready, or Failed; a claim's, when it is bound; all other kinds are over as soon as they are there.
std::optional<ending> ended(controller::objects const& all, proto::object_ref const& object);
/// The phase, and why it does not move on where that is known.
std::string meanwhile(controller::objects const& all, proto::object_ref const& object);
/// The run that works on the object now; empty when there is none.
std::string run_of(controller::objects const& all, proto::object_ref const& object);
/// `hashing  42% [####------]  1.2 GiB hashed, 300 MiB uploaded, 1200 files`.
std::string progress_text(proto::work_progress const& at);

}  // namespace kopiur::cli
