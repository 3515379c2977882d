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

/// The mover's decisions: derives the true outcome from what kopia printed and how it exited.
namespace kopiur::mover {

// --- which repository -------------------------------------------------------------------------------------------------------------------

/// A failure when the opened repository is not the pinned one; nothing when it is, or none is pinned yet.
std::optional<proto::run_failure> other_repository(std::optional<std::string> const& pinned, std::string const& opened);

// --- a snapshot -------------------------------------------------------------------------------------------------------------------------

/// What `snapshot create` left. The list that a separate process reads afterwards is authoritative. The output of create is only a hint:
/// kopia prints before it saves.
struct creation {
  bool exited_well = false;         ///< exit 0
  std::optional<manifest> printed;  ///< parsed from stdout
  std::vector<manifest> listed;     ///< all snapshots with the run's tag, including incomplete ones
  std::string stderr_text;
  bool told_to_stop = false;
  bool may_be_identical = false;  ///< the policy lets kopia skip an unchanged source
};

/// True when kopia gave up because the storage did not answer. A list would wait as long again and report no more. If a snapshot was saved
/// after all, the next attempt finds it.
bool is_out_of_reach(creation const&);

struct saved {
  manifest what;
};
struct unchanged {};
/// A snapshot that lacks some files: it is recorded, and the run fails.
struct partial {
  manifest what;
  proto::run_failure why;
};
using verdict = std::variant<saved, unchanged, partial, proto::run_failure>;

verdict judge(creation const&);

/// The complete snapshot of this run, if an earlier attempt saved one (the newest, where a lost attempt saved two).
std::optional<manifest> done_before(std::vector<manifest> const& listed);

// --- deletion ---------------------------------------------------------------------------------------------------------------------------

/// The ids that may be passed to `snapshot delete`: requested, listed, and with the expected source and run; each once. kopia interprets an
/// id that is not a manifest as a root object and deletes every snapshot of it. One unknown id aborts the whole batch. `others` exist with
/// another source or run: they are kept.
struct doomed_verdict {
  std::vector<std::string> ids, others;
  std::string why;  ///< a sentence about the first of `others`
};
doomed_verdict judge(std::vector<proto::doomed_snapshot> const& asked, std::map<std::string, proto::snapshot_row> const& present);

/// What a cancelled run left: its complete snapshots, except those in `keep`.
std::vector<std::string> left_over(std::vector<manifest> const& listed, std::vector<std::string> const& keep);

// --- maintenance ------------------------------------------------------------------------------------------------------------------------

enum class ownership { Ours, Claim, Foreign };
/// The maintenance owner that connect sets in a repository it creates. Any Maintenance may take over from this owner.
std::string default_owner(std::string const& unique_ID);
/// Whether we may run maintenance: we are the owner; we set the owner first (no owner, our default, or by force); or another process is the
/// owner.
ownership owner_verdict(std::string const& now, proto::maintain_work const& task, std::string const& unique_ID);

/// The owner in `maintenance info --json`.
std::string owner_in(json::value const& info);
/// Bytes of the blobs that were deleted by the tasks in `after` that are not in `before`.
std::int64_t reclaimed_bytes(json::value const& before, json::value const& after);
/// True when stderr reports that the maintenance run finished. A busy lock also exits 0, with nothing done.
bool maintenance_finished(std::string_view stderr_text, bool full);

// --- the program ------------------------------------------------------------------------------------------------------------------------

/// The version in `kopia --version`; nothing when there is none.
std::optional<std::string> version_in(std::string_view text);
/// True for the versions whose output is recorded in the golden files under test/.
bool is_tested(std::string_view version);

}  // namespace kopiur::mover
