#include <fmt/format.h>
#include <fmt/ranges.h>

#include "proto/kopiur/reserved_names.hpp"
#include "proto/schema/emit.hpp"

/// The table of reserved names, as the chart's admission policy asks for it: CEL over `object` and `oldObject`.
namespace kopiur::proto::schema {

namespace {

/// Whether only kopiur writes the name `k`: what is_reserved() says.
std::string reserved() {
  std::vector<std::string> free;
  for (auto& one : reserved_names)
    if (one.writer == name_writer::user) free.push_back(fmt::format("'{}'", one.name));
  return fmt::format("(k.startsWith('{0}/') || k.contains('.{0}/')) && !(k in [{1}])", api_group, fmt::join(free, ", "));
}

/// Annotations and labels, each as it becomes beside as it was, and the other way round: what is in the first and not in the second was
/// written or taken away.
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
