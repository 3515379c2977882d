#include "services/gateway/core/status_swap.hpp"

#include <algorithm>
#include <span>

namespace kopiur::gateway {

namespace {

/// An element of a path that selects an item of a list: `KEY=TEXT`.
struct item_key {
  std::string_view key, text;
  bool is_of(json::value const& item) const { return item.text(key) == text; }
};

std::optional<item_key> item_in(std::string_view element) {
  auto equals = element.find('=');
  if (equals == element.npos) return std::nullopt;
  return item_key{element.substr(0, equals), element.substr(equals + 1)};
}

json::value const* member_of(json::value const& there, std::string_view element) {
  auto item = item_in(element);
  if (!item) return there.find(element);
  auto* list = there.as_array();
  if (!list) return nullptr;
  auto found = std::ranges::find_if(*list, [&](json::value const& each) { return item->is_of(each); });
  return found == list->end() ? nullptr : &*found;
}

json::value field_of(json::value const* there, std::span<std::string const> path) {
  for (auto const& element : path) there = there ? member_of(*there, element) : nullptr;
  return there ? *there : json::value();
}

json::value with(json::value there, std::span<std::string const> path, json::value const& content);

/// The list with that item; null removes it.
json::value with_item(json::value there, item_key const& item, std::span<std::string const> rest, json::value const& content) {
  json::array items = there.as_array() ? *there.as_array() : json::array();
  auto found = std::ranges::find_if(items, [&](json::value const& each) { return item.is_of(each); });
  auto next = with(found == items.end() ? json::value() : *found, rest, content);
  bool stands = found != items.end();
  if (stands && next.is_null())
    items.erase(found);
  else if (stands)
    *found = std::move(next);
  else if (!next.is_null())
    items.push_back(std::move(next));
  return items;
}

/// `there` with that content at the path; null removes the field.
json::value with(json::value there, std::span<std::string const> path, json::value const& content) {
  if (path.empty()) return content;
  auto& element = path.front();
  if (auto item = item_in(element)) return with_item(std::move(there), *item, path.subspan(1), content);
  if (!there.is_object()) there = json::value::make_object();
  auto* inner = there.find(element);
  auto next = with(inner ? *inner : json::value(), path.subspan(1), content);
  if (next.is_null())
    there.erase(element);
  else
    there.set(element, std::move(next));
  return there;
}

}  // namespace

namespace {

/// A field that is absent has no members to compare.
bool is_expected(json::value const& found, proto::swap_status const& command) {
  if (command.by.empty() || !found.is_object() || !command.expect.is_object()) return found == command.expect;
  return std::ranges::all_of(command.by, [&](std::string const& member) { return found.text(member) == command.expect.text(member); });
}

}  // namespace

status_swap swapped(json::value const& object, proto::swap_status const& command) {
  auto* status = object.find("status");
  status_swap out{.status = {}, .found = field_of(status, command.path)};
  if (command.path.empty()) out.expected = false;
  if (command.path.empty() || out.found == command.set) return out;
  out.expected = command.whatever || is_expected(out.found, command);
  if (out.expected) out.status = with(status ? *status : json::value(), command.path, command.set);
  return out;
}

}  // namespace kopiur::gateway
