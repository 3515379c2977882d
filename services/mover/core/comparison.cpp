#include "services/mover/core/comparison.hpp"

#include <array>
#include <charconv>

#include "services/mover/core/failure.hpp"

namespace kopiur::mover {

namespace {

std::string octal(int mode) {
  std::array<char, 16> digits{};
  auto end = std::to_chars(digits.data(), digits.data() + digits.size(), mode, 8).ptr;
  std::string text(digits.data(), end);
  return std::string(text.size() < 4 ? 4 - text.size() : 0, '0') + text;
}

std::string text_of(attributes const& attributes, bool with_mode) {
  return std::to_string(attributes.uid) + ":" + std::to_string(attributes.gid) + (with_mode ? " " + octal(attributes.mode) : "");
}

}  // namespace

attributes attainable(attributes const& wanted, mover_rights const& rights) {
  auto out = wanted;
  if (rights.may_chown) return out;
  // chown sets owner and group in one call: where the owner is refused, the group is not changed either.
  bool all = wanted.uid == rights.uid && (wanted.gid == rights.gid || rights.groups.contains(wanted.gid));
  if (!all) out.uid = rights.uid, out.gid = rights.gid;
  return out;
}

std::string lost_attributes(tree_entry const& entry, attributes const& now, proto::restore_options const& asked) {
  bool owner = asked.skip_owners || (entry.has.uid == now.uid && entry.has.gid == now.gid);
  bool has_mode = entry.kind != entry_kind::Link;
  bool mode = asked.skip_permissions || !has_mode || entry.has.mode == now.mode;
  if (owner && mode) return {};
  return text_of(entry.has, has_mode) + " -> " + text_of(now, has_mode);
}

bool is_same(tree_entry const& entry, found_entry const& there) {
  bool has_content = entry.kind == entry_kind::File || entry.kind == entry_kind::Link;
  return has_content && entry.kind == there.kind && entry.size_bytes == there.size_bytes && entry.modified == there.modified;
}

void ownership_count::add(tree_entry const& entry, std::string lost) {
  constexpr std::size_t named = 3, longest_path = 80;
  ++report_.entries;
  if (lost.empty()) return;
  ++report_.lost;
  if (report_.examples.size() >= named) return;
  auto path = entry.path.empty() ? std::string(".") : entry.path;
  cut(path, longest_path);
  report_.examples.push_back(path + " (" + lost + ")");
}

std::string sentence_of(proto::ownership_report const& report) {
  auto text = std::to_string(report.lost) + " of " + std::to_string(report.entries) + (report.entries == 1 ? " entry" : " entries");
  std::string_view before = ": ";
  for (auto& each : report.examples) text += std::string(std::exchange(before, ", ")) + each;
  return text;
}

}  // namespace kopiur::mover
