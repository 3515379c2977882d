#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "common/json/value.hpp"
#include "services/mover/core/failure.hpp"
#include "services/mover/core/manifest.hpp"

/// The mover's decisions: from what kopia printed and how it ended to what is true.
namespace kopiur::mover {

// --- which repository -------------------------------------------------------------------------------------------------------------------

/// A failure when the repository that was opened is not the pinned one; nothing when it is, or none is pinned yet.
std::optional<proto::run_failure> other_repository(std::optional<std::string> const& pinned, std::string const& opened);

// --- a snapshot -------------------------------------------------------------------------------------------------------------------------

/// What `snapshot create` left behind. The list, made by a process of its own afterwards, is the truth; what create printed is a hint only
/// (it prints before it saves).
struct creation {
  bool exited_well = false;         ///< exit 0
  std::optional<manifest> printed;  ///< what stood on stdout
  std::vector<manifest> listed;     ///< all snapshots with the run's tag, incomplete ones too
  std::string stderr_text;
  bool told_to_stop = false;
  bool may_be_identical = false;  ///< the policy lets kopia skip an unchanged source
};

/// kopia gave up as the storage did not serve it: a list would wait as long once more, and say no more. What was saved after all, the next
/// attempt finds.
bool is_out_of_reach(creation const&);

struct saved {
  manifest what;
};
struct unchanged {};
/// A snapshot without some files: recorded, and the run has failed.
struct partial {
  manifest what;
  proto::run_failure why;
};
using verdict = std::variant<saved, unchanged, partial, proto::run_failure>;

verdict judge(creation const&);

/// The complete snapshot of this run, if there is one (the newest where a lost attempt made two): an earlier attempt did the work.
std::optional<manifest> done_before(std::vector<manifest> const& listed);

// --- deletion ---------------------------------------------------------------------------------------------------------------------------

/// The ids that may be handed to `snapshot delete`: asked for, in the list, and what they have to be, each once. kopia takes an id that is
/// no manifest for a root object and deletes every snapshot of it; and one unknown id undoes a whole batch. `others` are there, and
/// something else: they stay.
struct doomed_verdict {
  std::vector<std::string> ids, others;
  std::string why;  ///< a sentence about the first of the others
};
doomed_verdict judge(std::vector<proto::doomed_snapshot> const& asked, std::map<std::string, proto::snapshot_row> const& present);

/// What a cancelled run left: its complete snapshots but those recorded.
std::vector<std::string> left_over(std::vector<manifest> const& listed, std::vector<std::string> const& keep);

// --- maintenance ------------------------------------------------------------------------------------------------------------------------

enum class ownership { Ours, Claim, Foreign };
/// The owner that connect gives a repository which it makes: any Maintenance may claim it from there.
std::string default_owner(std::string const& unique_ID);
/// Whether we may run it: it is ours, we set the owner first (nobody's, our default, or by force), or somebody else's.
ownership owner_verdict(std::string const& now, proto::maintain_work const& task, std::string const& unique_ID);

/// The owner in `maintenance info --json`.
std::string owner_in(json::value const& info);
/// Bytes of blobs deleted by the tasks that are in `after` and not in `before`.
std::int64_t reclaimed_bytes(json::value const& before, json::value const& after);
/// True when stderr says that the run reached its end: a busy lock also exits 0, with nothing done.
bool maintenance_finished(std::string_view stderr_text, bool full);

// --- the program ------------------------------------------------------------------------------------------------------------------------

/// The version in `kopia --version`; nothing when there is none.
std::optional<std::string> version_in(std::string_view text);
/// True for the versions whose output the golden files under test/ pin.
bool is_tested(std::string_view version);

}  // namespace kopiur::mover
