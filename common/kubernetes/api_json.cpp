#include "common/kubernetes/api_json.hpp"

#include "common/json/cut.hpp"
#include "common/kubernetes/object.hpp"

namespace kopiur::kubernetes {

namespace {

void mark(json::value& object) {
  if (object.is_object() && json::is_cut(object)) object.set(too_deep, true);
}

}  // namespace

std::expected<json::value, json::problem> read_api_json(std::string_view text, json::bounds const& most) {
  auto read = json::parse(text, most);
  if (read || !read.error().too_deep) return read;
  read = json::parse(json::cut(text, most.depth), most);
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
