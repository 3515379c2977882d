#include <fmt/format.h>
#include <fmt/ranges.h>

#include "proto/kopiur/reserved_names.hpp"
#include "proto/schema/emit.hpp"

/// The table of reserved names as CEL over `object` and `oldObject`, for the chart's admission policy.
namespace kopiur::proto::schema {

namespace {

/// CEL for is_reserved(): whether only kopiur writes the name `k`.
std::string reserved() {
  std::vector<std::string> free;
  for (auto& one : reserved_names)
    if (one.writer == name_writer::user) free.push_back(fmt::format("'{}'", one.name));
  return fmt::format("(k.startsWith('{0}/') || k.contains('.{0}/')) && !(k in [{1}])", api_group, fmt::join(free, ", "));
}

/// CEL: annotations and labels as pairs [new, old] and [old, new]. A name in the first map that is not in the second with the same value
/// was written or removed.
std::string pairs() {
  std::vector<std::string> all;
  for (auto* map : {"annotations", "labels"}) {
    auto now = fmt::format("object.metadata.?{}.orValue({{}})", map);
    auto before = fmt::format("oldObject == null ? {{}} : oldObject.metadata.?{}.orValue({{}})", map);
    all.push_back(fmt::format("[{}, {}]", now, before));
    all.push_back(fmt::format("[{}, {}]", before, now));
  }
  return fmt::format("[{}]", fmt::join(all, ", "));
}

}  // namespace

json::value reserved_names_policy() {
  auto changed = fmt::format("{} && !(k in pair[1] && pair[1][k] == pair[0][k])", reserved());
  auto names = fmt::format("{}.map(pair, pair[0].filter(k, {}).join(', ')).filter(names, names != '')[0]", pairs(), changed);
  return json::object{{"changes", fmt::format("{}.exists(pair, pair[0].exists(k, {}))", pairs(), changed)},
                      {"message", names + " + ': only kopiur writes this. Leave it as it is; in a new object leave it out.'"}};
}

}  // namespace kopiur::proto::schema
