#include "proto/validate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/config/load.hpp"
#include "proto/kopiur/names.hpp"
#include "proto/metadata_check.hpp"
#include "proto/schema/check.hpp"

namespace kopiur::proto {
namespace {

using json::value;
using schema::node;
using shape = node::shape;

/// Removes null members and fills in defaults, as an API server does before it validates.
void settle(node const& by, value& v) {
  if (auto* members = v.as_object(); members && by.type == shape::Object) {
    std::erase_if(*members, [](auto const& one) { return one.second.is_null(); });
    for (auto& [name, child] : by.properties) {
      auto* there = v.find(name);
      if (!there && child.default_) there = &v.set(name, *child.default_);
      if (there) settle(child, *there);
    }
  } else if (auto* items = v.as_array(); items && !by.item.empty()) {
    for (auto& item : *items) settle(by.item.front(), item);
  } else if (members && by.type == shape::Map && !by.item.empty()) {
    for (auto& [name, content] : *members) settle(by.item.front(), content);
  }
}

/// Approximate size of the value as JSON, in bytes; stops counting soon after `enough`.
std::size_t weight(value const& v, std::size_t enough) {
  std::size_t sum = 2;
  if (auto* text = v.as_string()) return sum + text->size();
  if (auto* items = v.as_array())
    for (auto& each : *items)
      if ((sum += 1 + weight(each, enough)) > enough) break;
  if (auto* members = v.as_object())
    for (auto& [name, content] : *members)
      if ((sum += name.size() + 4 + weight(content, enough)) > enough) break;
  return sum;
}

/// `old`: the stored object, or null.
std::vector<finding> judge(std::string_view kind, value const& object, value const* old, format_checks const& checks) {
  auto* ours = schema::find_kind(kind);
  if (!ours) {
    std::vector<std::string_view> known;
    for (auto& each : schema::kinds()) known.push_back(each.info.kind);
    auto near = config::nearest(kind, known);
    return {{"kind", fmt::format("`{}` is not a kind of {}.", kind.substr(0, 64), api_version),
             near.empty() ? fmt::format("The kinds are {}.", fmt::join(known, ", ")) : fmt::format("Did you mean `{}`?", near)}};
  }
  if (weight(object, config::max_document_bytes) > config::max_document_bytes)
    return {{"", "The object is larger than 3 MiB, which no API server takes.", "Split it."}};
  if (!object.is_object()) return {{"", "It must be an object.", "Write apiVersion, kind, metadata and spec."}};
  std::vector<finding> out;
  check_envelope(ours->info, object, out);
  auto before = old ? std::optional(with_defaults(kind, *old)) : std::nullopt;
  schema::check(ours->root, with_defaults(kind, object), before ? &*before : nullptr, checks, out);
  return out;
}

}  // namespace

std::string finding::text() const {
  return fmt::format("{}{}{}{}{}", path, path.empty() ? "" : ": ", message, hint.empty() ? "" : " ", hint);
}

value with_defaults(std::string_view kind, value object) {
  if (auto* ours = schema::find_kind(kind)) settle(ours->root, object);
  return object;
}

std::vector<finding> validate(std::string_view kind, value const& object, format_checks const& checks) {
  return judge(kind, object, nullptr, checks);
}

std::vector<finding> validate_update(std::string_view kind, value const& old, value const& now, format_checks const& checks) {
  return judge(kind, now, &old, checks);
}

}  // namespace kopiur::proto
