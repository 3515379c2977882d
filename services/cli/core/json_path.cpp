#include "services/cli/core/json_path.hpp"

#include "common/encoding/number.hpp"

namespace kopiur::cli {

namespace {

/// The item of a list that `[...]` selects.
json::value const* item_of(json::value const& list, std::string_view choice) {
  auto* items = list.as_array();
  if (!items) return nullptr;
  constexpr std::string_view by_type = R"(?(@.type==")", end = R"("))";
  if (choice.starts_with(by_type) && choice.ends_with(end)) {
    auto type = choice.substr(by_type.size(), choice.size() - by_type.size() - end.size());
    for (auto& each : *items)
      if (each.text("type") == type) return &each;
    return nullptr;
  }
  auto index = encoding::whole_number<std::size_t>(choice);
  return index && *index < items->size() ? &(*items)[*index] : nullptr;
}

}  // namespace

json::value const* at_path(json::value const& object, std::string_view path) {
  auto* found = &object;
  while (found && !path.empty()) {
    bool chooses = path.front() == '[';
    auto end = chooses ? path.find(']') : path.find_first_of(".[", 1);
    auto step = path.substr(1, end == path.npos ? end : end - 1);
    if (path.front() != '.' && !(chooses && end != path.npos)) return nullptr;
    found = chooses ? item_of(*found, step) : found->find(step);
    path.remove_prefix(end == path.npos ? path.size() : chooses ? end + 1 : end);
  }
  return found;
}

}  // namespace kopiur::cli
