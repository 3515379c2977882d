#include <algorithm>

#include "common/json/codec.hpp"
#include "e2e/fuzz/fuzz.hpp"
#include "services/mover/core/check.hpp"
#include "services/mover/core/judge.hpp"
#include "services/mover/core/manifest.hpp"
#include "services/mover/core/policy.hpp"
#include "services/mover/core/tree.hpp"

namespace kopiur::fuzz {
namespace {

using namespace mover;

struct elements {
  std::vector<std::string> all;
  bool whole = false;
  bool operator==(elements const&) const = default;
};
elements split(std::string_view input, std::size_t at_a_time, std::size_t limit) {
  elements found;
  element_splitter splitter([&](std::string_view one) { found.all.emplace_back(one); }, limit);
  for (auto piece : pieces(input, at_a_time)) splitter.feed(piece);
  found.whole = splitter.whole();
  return found;
}

void check_splitter(std::string_view input, std::expected<json::value, json::problem> const& parsed) {
  constexpr std::size_t plenty = 1 << 20;
  auto found = split(input, plenty, plenty);
  require(found == split(input, 7, plenty), "elements are the same, however the bytes arrive");
  for (auto& each : split(input, 7, 64).all) require(each.size() <= 64, "no element is longer than the limit");
  auto* list = parsed ? parsed->as_array() : nullptr;
  bool only_objects = list && std::ranges::all_of(*list, [](auto& one) { return one.is_object(); });
  if (!only_objects) return;
  require(found.whole && found.all.size() == list->size(), "a list of objects is cut into its elements");
  for (std::size_t i = 0; i < list->size(); ++i) {
    auto one = json::parse(found.all[i]);
    require(one && json::dump(*one) == json::dump((*list)[i]), "an element is cut out whole");
  }
}

struct folder_read {
  std::vector<std::string> entries;
  bool whole = false;
  bool operator==(folder_read const&) const = default;
};
folder_read read_tree(std::string_view input, std::size_t at_a_time) {
  folder_read found;
  folder_splitter splitter([&](std::string_view one) {
    auto entry = read_entry(one, "top");
    found.entries.push_back(entry ? entry->path : "");
  });
  for (auto piece : pieces(input, at_a_time)) splitter.feed(piece);
  found.whole = splitter.whole();
  return found;
}

void check_folder(std::string_view input) {
  auto found = read_tree(input, 1 << 20);
  require(found == read_tree(input, 3), "a folder is the same, however the bytes arrive");
  for (auto& each : found.entries)
    require(each.empty() || (each.starts_with("top/") && each.size() > 4 && each.find('/', 4) == each.npos), "an entry lies in its folder");
}

void check_row(proto::snapshot_row const& row) {
  auto text = json::write(row);
  auto again = json::read<proto::snapshot_row>(text);
  require(again && json::write(*again) == text, "a row of the catalog is read as it was written");
}

}  // namespace

/// JSON output of kopia, passed to every decoder that reads some of it.
void look(std::string_view input) {
  auto parsed = json::parse(input);
  check_splitter(input, parsed);
  check_folder(input);
  if (auto one = parse_manifest(input)) {
    require(!one->row.id.empty(), "a snapshot has an id");
    check_row(one->row);
  }
  if (auto shown = read_shown_manifest(input, "f00"))
    require(shown->row.id == "f00", "a snapshot that was shown has the id that was asked for");
  if (auto entry = read_listed_entry(input))
    require(json::read<proto::snapshot_entry>(json::write(*entry)).has_value(), "an entry is read as it was written");
  if (auto id = repository_id(input)) require(!id->empty() && id->size() % 2 == 0, "an id is hexadecimal");
  if (auto id = status_id(input)) require(!id->empty(), "an id is not empty");
  if (auto work = read_work(input)) {
    auto again = read_work(json::write(*work));
    require(again && json::write(*again) == json::write(*work), "work is read as it was written");
  } else {
    require(work.error().class_ == proto::failure_class::InvalidWork && !work.error().message.empty(), "a refusal says why");
  }
  if (!parsed) return;
  require(reclaimed_bytes(*parsed, *parsed) == 0, "nothing is reclaimed between a moment and itself");
  (void)reclaimed_bytes(json::value(), *parsed);
  (void)owner_in(*parsed), (void)keeps_everything(*parsed), (void)follows(*parsed, {});
}

}  // namespace kopiur::fuzz
