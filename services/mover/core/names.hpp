#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "proto/work.hpp"

/// Names that kopia cannot keep. It reads bytes that are not UTF-8 as U+FFFD, so that two files become one; and it takes `x.kopia-entry`
/// for a placeholder of `x`, which may name any object of the repository, and which stops the snapshot where it is none.
namespace kopiur::mover {

inline constexpr std::string_view placeholder_suffix = ".kopia-entry";
bool is_placeholder(std::string_view name);
/// The name as kopia reads it.
std::string as_kopia_reads(std::string_view name);
/// UTF-8, with `\xE9` for each byte that is none.
std::string printable(std::string_view path);
/// The pattern of kopia's policy that fits this path below the source, and nothing else; as kopia reads it.
std::string exact_pattern(std::string_view path);

enum class oddity {
  NotUtf8,
  Placeholder,
  Twin,         ///< a sound name that kopia cannot tell from one of the others
  BrokenRules,  ///< a `.kopiaignore` that kopia cannot read, which stops it
  Own           ///< kopiur's own: the repository that the snapshot goes into, or what kopiur keeps beside users' volumes
};

/// What is to be left out of a source, by its name or as it is ours, by path below it as the file system has it. Bounded: once there are
/// very many, those of a folder that holds very many are given up for the folder.
class odd_names {
 public:
  /// An entry of `folder` (empty: the source's root). `is_there`: an entry of that very name is in the folder as well.
  void meet(std::string_view folder, std::string_view name, auto const& is_there) {
    auto read = as_kopia_reads(name);
    if (read == name) return;
    add(folder, name, is_placeholder(name) ? oddity::Placeholder : oddity::NotUtf8);
    if (is_there(read)) add(folder, read, oddity::Twin);
  }
  /// A `.kopiaignore` in `folder` that cannot be read.
  void meet_broken_rules(std::string_view folder, std::string_view name) { add(folder, name, oddity::BrokenRules); }
  /// What kopiur itself keeps at this path; empty: the source is the repository.
  void meet_own(std::string_view path);
  bool empty() const { return found_.empty(); }
  bool has_broken_rules() const;
  /// The source itself is the repository.
  bool is_repository() const { return found_.contains(""); }
  /// There are so many that not all were kept: nothing can be saved.
  bool too_many() const { return too_many_; }
  std::map<std::string, oddity> const& all() const { return found_; }
  /// The patterns that leave them out, each once.
  std::vector<std::string> patterns() const;
  /// Files of the user's, which the snapshot lacks: neither placeholders nor our own.
  std::vector<std::string> lost() const;
  /// Without this path, which the recipe leaves out anyhow.
  void remove(std::string const& path) { found_.erase(path); }

 private:
  void add(std::string_view folder, std::string_view name, oddity what);
  void give_up(std::string const& folder);

  std::map<std::string, oddity> found_;
  std::map<std::string, std::size_t> in_folder_;
  bool too_many_ = false;
};

/// What the snapshot lacks, for the result.
proto::left_out report_of(odd_names const& names);
/// A sentence about those that are the user's.
std::string lost_text(std::vector<std::string> const& lost);

}  // namespace kopiur::mover
