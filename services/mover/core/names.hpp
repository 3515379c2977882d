#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "proto/kopiur/kopia_task.hpp"

/// Names that kopia cannot store. kopia reads bytes that are not UTF-8 as U+FFFD, so two files can become one. It interprets
/// `x.kopia-entry` as a placeholder for `x`: a valid placeholder may name any object of the repository, an invalid one aborts the snapshot.
namespace kopiur::mover {

inline constexpr std::string_view placeholder_suffix = ".kopia-entry";
bool is_placeholder(std::string_view name);
/// The name as kopia reads it.
std::string as_kopia_reads(std::string_view name);
/// The path as UTF-8, with `\xE9` for each invalid byte.
std::string printable(std::string_view path);
/// The kopia policy pattern that matches exactly this path below the source. The path must be as kopia reads it.
std::string exact_pattern(std::string_view path);

enum class oddity {
  NotUtf8,
  Placeholder,
  Twin,         ///< a valid name that kopia cannot distinguish from one of the others
  BrokenRules,  ///< a `.kopiaignore` that kopia cannot read, which aborts the snapshot
  Own           ///< kopiur's own: the snapshot's own repository, or data that kopiur stores outside of users' volumes
};

/// The paths below a source that are excluded because of their name, or because they belong to kopiur; spelled as in the file system.
/// Memory is bounded: above a total limit, a folder with many such names is excluded as a whole.
class odd_names {
 public:
  /// Adds an entry of `folder` (empty: the source's root). `is_there`: whether an entry with exactly that name is in the folder too.
  void meet(std::string_view folder, std::string_view name, auto const& is_there) {
    auto read = as_kopia_reads(name);
    if (read == name) return;
    add(folder, name, is_placeholder(name) ? oddity::Placeholder : oddity::NotUtf8);
    if (is_there(read)) add(folder, read, oddity::Twin);
  }
  /// Adds a `.kopiaignore` in `folder` that cannot be read.
  void meet_broken_rules(std::string_view folder, std::string_view name) { add(folder, name, oddity::BrokenRules); }
  /// Adds a path with kopiur's own data; empty: the source is the repository.
  void meet_own(std::string_view path);
  bool empty() const { return found_.empty(); }
  bool has_broken_rules() const;
  /// True when the source itself is the repository.
  bool is_repository() const { return found_.contains(""); }
  /// True when the limit was reached and names were dropped: nothing can be saved.
  bool too_many() const { return too_many_; }
  std::map<std::string, oddity> const& all() const { return found_; }
  /// The policy patterns that exclude these paths, each once.
  std::vector<std::string> patterns() const;
  /// The user's files that the snapshot lacks: neither placeholders nor kopiur's own data.
  std::vector<std::string> lost() const;
  /// Drops a path that the recipe excludes anyway.
  void remove(std::string const& path) { found_.erase(path); }

 private:
  void add(std::string_view folder, std::string_view name, oddity what);
  void give_up(std::string const& folder);

  std::map<std::string, oddity> found_;
  std::map<std::string, std::size_t> in_folder_;
  bool too_many_ = false;
};

/// What the snapshot lacks, as reported in the result.
proto::left_out report_of(odd_names const& names);
/// A sentence about the user's files that are lost.
std::string lost_text(std::vector<std::string> const& lost);

}  // namespace kopiur::mover
