#pragma once
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "common/json/value.hpp"
#include "proto/work.hpp"

/// kopia's JSON: what we read of it. Unknown members pass; what we need and do not find is a problem.
namespace kopiur::mover {

/// The tag that joins a snapshot to the run that made it.
constexpr std::string_view run_tag = "kopiur-run", baseline_tag = "kopiur-baseline";

/// What a snapshot keeps of a file besides its content.
struct attributes {
  std::int64_t uid = 0, gid = 0;
  int mode = 0;  ///< as of chmod: with setuid, setgid and the sticky bit
  bool operator==(attributes const&) const = default;
};
/// Those of an entry in a manifest or a folder object.
attributes attributes_of(json::value const& entry);

/// A snapshot's manifest, as `snapshot create` and `snapshot list` print it.
struct manifest {
  proto::snapshot_row row;
  std::string root;             ///< object id of the root entry
  std::string incomplete;       ///< empty when complete; else `checkpoint`, `canceled`, `limit reached`
  std::int64_t failed = 0;      ///< files and folders that could not be read and that no policy ignores
  std::string first_error;      ///< the path of the first that could not be read
  attributes root_has;          ///< of the root entry
  bool of_a_folder = true;      ///< kopia also takes snapshots of one file
  proto::snapshot_stats stats;  ///< bytes_new is not in the manifest
  bool complete() const { return incomplete.empty(); }
};

/// Requires id, source and startTime; a manifest without a root entry (nothing was saved) has an empty `root`.
std::expected<manifest, std::string> read_manifest(json::value const&);
/// Reads one from text.
std::expected<manifest, std::string> parse_manifest(std::string_view text);

/// Cuts a top-level JSON array into its elements as the bytes arrive, in memory bounded by the largest element: a list of 50,000
/// snapshots is never held. Also takes elements that merely follow each other (`snapshot create` prints those).
class element_splitter {
 public:
  using sink = std::function<void(std::string_view)>;
  explicit element_splitter(sink each, std::size_t limit = 4 * 1024 * 1024) : each_(std::move(each)), limit_(limit) {}

  void feed(std::string_view bytes);
  /// True when what was fed ended where a document may end: nothing was cut off, nothing was too long.
  bool whole() const { return !broken_ && depth_ == 0 && (!array_ || closed_); }
  /// The array has ended.
  bool closed() const { return closed_ && !broken_; }

 private:
  void between(char c);
  void inside(char c);

  sink each_;
  std::size_t limit_;
  std::string begun_;
  int depth_ = 0;  // of the element
  bool in_text_ = false, escaped_ = false;
  bool array_ = false, closed_ = false, broken_ = false;
};

/// The unique id that a `kopia.repository` blob names, in hex as `repository status` prints it; nothing when it is none.
std::optional<std::string> repository_id(std::string_view blob);
/// The unique id of `repository status --json`; nothing when it is none.
std::optional<std::string> status_id(std::string_view text);

/// The object id of a snapshot's root from `manifest show`, which prints comment lines before the JSON.
std::expected<manifest, std::string> read_shown_manifest(std::string_view text, std::string id);

/// An entry of a folder, as it is listed for people; nothing when it is none.
std::optional<proto::snapshot_entry> read_listed_entry(std::string_view text);

}  // namespace kopiur::mover
