#include "services/mover/core/tree.hpp"

#include <algorithm>

namespace kopiur::mover {

namespace {

std::int64_t number(json::value const& from, std::string_view name) {
  auto* found = from.find(name);
  return found && found->as_int() ? *found->as_int() : 0;
}

entry_kind kind_of(std::string_view type) {
  if (type == "d") return entry_kind::Folder;
  if (type == "f") return entry_kind::File;
  return type == "s" ? entry_kind::Link : entry_kind::Other;
}

constexpr std::string_view stream = R"("stream":"kopia:directory")", entries = R"("entries":[)";

}  // namespace

tree_entry root_of(manifest const& snapshot) {
  return {.path = {}, .kind = entry_kind::Folder, .has = snapshot.root_has, .modified = {}, .object = snapshot.root};
}

std::string path_below(std::string const& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
}

std::optional<tree_entry> read_entry(std::string_view text, std::string const& folder) {
  auto read = json::parse(text);
  auto name = read ? read->text("name") : std::string_view();
  bool is_name = !name.empty() && name != "." && name != ".." && name.find_first_of(std::string_view("/\0", 2)) == name.npos;
  if (!is_name) return {};
  return tree_entry{.path = path_below(folder, name),
                    .kind = kind_of(read->text("type")),
                    .has = attributes_of(*read),
                    .size_bytes = number(*read, "size"),
                    .modified = instant_from(read->text("mtime")).value_or(instant{}),
                    .object = std::string(read->text("obj"))};
}

void folder_splitter::feed(std::string_view bytes) {
  if (!entered_) {  // a folder without entries has only a summary
    constexpr std::size_t longest_head = 256;
    auto room = std::min(bytes.size(), longest_head - head_.size());
    head_ += bytes.substr(0, room);
    auto begin = head_.find(entries);
    if (begin == std::string::npos) return;
    entered_ = true;
    auto list = begin + entries.size() - 1;
    take(std::string_view(head_).substr(list));
    head_.resize(begin);
    bytes.remove_prefix(room);
  }
  take(bytes);
}

void folder_splitter::take(std::string_view bytes) {
  for (char c : bytes) {  // a summary follows the entries
    if (entries_.closed()) return;
    entries_.feed({&c, 1});
  }
}

bool folder_splitter::whole() const { return head_.contains(stream) && (!entered_ || entries_.closed()); }

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
