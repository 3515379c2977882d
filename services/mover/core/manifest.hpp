#pragma once
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "common/json/value.hpp"
#include "proto/kopiur/kopia_task.hpp"

/// Reads kopia's JSON. Unknown members are ignored; a missing required member is an error.
namespace kopiur::mover {

/// Tags: `run_tag` links a snapshot to the run that created it; `baseline_tag` names the snapshot and percent it was compared with.
constexpr std::string_view run_tag = "kopiur-run", baseline_tag = "kopiur-baseline";

/// The attributes that a snapshot stores for a file, in addition to its content.
struct attributes {
  std::int64_t uid = 0, gid = 0;
  int mode = 0;  ///< as for chmod: with setuid, setgid and the sticky bit
  bool operator==(attributes const&) const = default;
};
/// The attributes of an entry in a manifest or a folder object.
attributes attributes_of(json::value const& entry);

/// A snapshot's manifest, as `snapshot create` and `snapshot list` print it.
struct manifest {
  proto::snapshot_row row;
  std::string root;             ///< object id of the root entry
  std::string incomplete;       ///< empty when complete; else `checkpoint`, `canceled`, `limit reached`
  std::int64_t failed = 0;      ///< files and folders that could not be read and that the policy does not ignore
  std::string first_error;      ///< the path of the first of them
  attributes root_has;          ///< of the root entry
  bool of_a_folder = true;      ///< kopia also takes snapshots of one file
  proto::snapshot_stats stats;  ///< bytes_new is not in the manifest
  bool complete() const { return incomplete.empty(); }
};

/// Requires id, source and startTime; a manifest without a root entry (nothing was saved) has an empty `root`.
std::expected<manifest, std::string> read_manifest(json::value const&);
/// Reads one from text.
std::expected<manifest, std::string> parse_manifest(std::string_view text);

/// Splits a top-level JSON array into its elements as the bytes arrive. Memory is bounded by the largest element, so a list of 50,000
/// snapshots is never in memory at once. Also accepts elements that follow each other without an array (`snapshot create` prints those).
class element_splitter {
 public:
  using sink = std::function<void(std::string_view)>;
  explicit element_splitter(sink each, std::size_t limit = 4 * 1024 * 1024) : each_(std::move(each)), limit_(limit) {}

  void feed(std::string_view bytes);
  /// True when the input ended where a document may end: nothing was cut off, nothing exceeded the limit.
  bool whole() const { return !broken_ && depth_ == 0 && (!array_ || closed_); }
  /// The array has ended.
  bool closed() const { return closed_ && !broken_; }

 private:
  void between(char c);
  void inside(char c);

  sink each_;
  std::size_t limit_;
  std::string begun_;
  int depth_ = 0;  // nesting within the element
  bool in_text_ = false, escaped_ = false;
  bool array_ = false, closed_ = false, broken_ = false;
};

/// The unique id in a `kopia.repository` blob, in hex as `repository status` prints it; nothing when the blob has none.
std::optional<std::string> repository_id(std::string_view blob);
/// The unique id in `repository status --json`; nothing when there is none.
std::optional<std::string> status_id(std::string_view text);

/// A snapshot's manifest from the output of `manifest show`, which prints comment lines before the JSON.
std::expected<manifest, std::string> read_shown_manifest(std::string_view text, std::string id);

/// An entry of a folder, as it is listed for users; nothing when the text is not an entry.
std::optional<proto::snapshot_entry> read_listed_entry(std::string_view text);

}  // namespace kopiur::mover
