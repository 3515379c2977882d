#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/json/value.hpp"
#include "common/time/instant.hpp"
#include "services/mover/core/manifest.hpp"

/// Reads a snapshot's entries from kopia's folder objects. Unlike `kopia ls` they contain owners and every name.
namespace kopiur::mover {

enum class entry_kind { Nothing, Folder, File, Link, Other };

/// One entry of a snapshot.
struct tree_entry {
  std::string path;  ///< relative to the snapshot's root; empty: the root itself
  entry_kind kind = entry_kind::Nothing;
  attributes has;
  std::int64_t size_bytes = 0;  ///< of a file; for a link, the length of its text
  instant modified{};
  std::string object;  ///< kopia's id of the content
};

/// The root of a snapshot.
tree_entry root_of(manifest const& snapshot);
/// An entry of the folder at `folder`; nothing when the text is no entry, or its name would lead out of the folder.
std::optional<tree_entry> read_entry(std::string_view json, std::string const& folder);
/// `name` in the folder at `folder`, which is empty for the root.
std::string path_below(std::string const& folder, std::string_view name);

/// Splits a folder object into its entries as the bytes arrive, so a folder with a million files is never in memory at once.
class folder_splitter {
 public:
  explicit folder_splitter(element_splitter::sink each) : entries_(std::move(each)) {}

  void feed(std::string_view bytes);
  /// True when the input was a complete folder object.
  bool whole() const;

 private:
  void take(std::string_view bytes);

  element_splitter entries_;
  std::string head_;
  bool entered_ = false;
};

/// True when the restore may proceed: the target has nothing where the snapshot has `entry`, or an entry of the same kind. Else it is
/// refused.
bool fits(entry_kind there, entry_kind entry);

/// What a kind is called in a sentence: `a link`, `a folder`.
std::string_view name_of(entry_kind);

/// True for `lost+found` at the root of the target, which the file system owns.
bool is_file_systems_own(std::string_view path);

}  // namespace kopiur::mover
