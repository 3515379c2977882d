#pragma once
#include <optional>
#include <string>
#include <string_view>

/// What a restore would meet in its target. kopia follows a link that stands where the snapshot has a folder, out of the target, with
/// root's rights and exit 0; so every entry of the snapshot is compared with what stands in its place before anything is written.
namespace kopiur::mover {

enum class entry_kind { Nothing, Folder, File, Link, Other };

/// One line of `kopia ls --long --recursive`.
struct listed_entry {
  entry_kind kind = entry_kind::Nothing;
  std::string path;  ///< relative to the snapshot's root
};

/// Nothing when the line is none: a name with a line break was cut, so that its target cannot be checked.
std::optional<listed_entry> read_listing(std::string_view line);

/// True when the restore may meet `there` where the snapshot has `entry`: nothing, or the same kind. Else the target is refused.
bool fits(entry_kind there, entry_kind entry);

/// What a kind is called in a sentence: `a link`, `a folder`.
std::string_view name_of(entry_kind);

/// True for `lost+found` at the root of the target, which the file system owns.
bool is_file_systems_own(std::string_view path);

}  // namespace kopiur::mover
