#include "services/mover/core/listing.hpp"

#include <algorithm>

namespace kopiur::mover {

namespace {

std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
  auto word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

// Go's file mode: letters for the type, then nine of rwx-.
std::optional<entry_kind> kind_of(std::string_view mode) {
  if (mode.size() < 10 || mode.substr(mode.size() - 9).find_first_not_of("rwx-") != std::string_view::npos) return std::nullopt;
  auto type = mode.substr(0, mode.size() - 9);
  if (type.find('d') != std::string_view::npos) return entry_kind::Folder;
  if (type.find('L') != std::string_view::npos) return entry_kind::Link;
  if (type.find_first_of("DpSc") != std::string_view::npos) return entry_kind::Other;
  return entry_kind::File;
}

}  // namespace

std::optional<listed_entry> read_listing(std::string_view line) {
  auto kind = kind_of(next_word(line));
  for (int i = 0; i < 4; ++i) next_word(line);  // size, date, time, zone
  auto before = line.find_first_not_of(' ');
  if (!kind || before == std::string_view::npos) return std::nullopt;
  line.remove_prefix(before);
  auto object = line.substr(0, line.find(' '));
  auto begin =
      std::max<std::size_t>(object.size(), 34) + 1;  // the object id is padded to 34, then one blank; the name may begin with blanks
  if (object.empty() || line.size() <= begin) return std::nullopt;
  std::string path(line.substr(begin));
  if ((*kind == entry_kind::Folder) != path.ends_with('/')) return std::nullopt;
  if (path.ends_with('/')) path.pop_back();
  if (path.empty()) return std::nullopt;
  return listed_entry{*kind, std::move(path)};
}

bool fits(entry_kind there, entry_kind entry) { return there == entry_kind::Nothing || there == entry; }

std::string_view name_of(entry_kind kind) {
  switch (kind) {
    case entry_kind::Nothing:
      return "nothing";
    case entry_kind::Folder:
      return "a folder";
    case entry_kind::File:
      return "a file";
    case entry_kind::Link:
      return "a link";
    case entry_kind::Other:
      return "a device, pipe or socket";
  }
  return "";
}

bool is_file_systems_own(std::string_view path) { return path == "lost+found" || path.starts_with("lost+found/"); }

}  // namespace kopiur::mover
