#include "common/kubernetes/api_json.hpp"

#include "common/json/cut.hpp"
#include "common/json/without.hpp"
#include "common/kubernetes/object.hpp"

namespace kopiur::kubernetes {

namespace {

/// A third of an object, which nobody reads: an update without them leaves them alone.
constexpr json::unwanted field_managers{"metadata", "managedFields"};

void mark(json::value& object) {
  if (object.is_object() && json::is_cut(object)) object.set(too_deep, true);
}

}  // namespace

std::expected<json::value, json::problem> read_api_json(std::string_view text, json::bounds const& most) {
  auto read = json::parse_without(text, field_managers, most);
  if (read || !read.error().too_deep) return read;
  read = json::parse_without(json::cut(text, most.depth), field_managers, most);
  if (!read) return read;
  auto* listed = read->find("items");
  auto* event = read->find("object");
  if (auto* items = listed ? listed->as_array() : nullptr)
    for (auto& each : *items) mark(each);
  else
    mark(event ? *event : *read);
  return read;
}

}  // namespace kopiur::kubernetes
