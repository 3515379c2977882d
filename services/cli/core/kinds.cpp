#include "services/cli/core/kinds.hpp"

#include <algorithm>
#include <cctype>

#include "common/encoding/join.hpp"
#include "proto/events/command.hpp"
#include "proto/kinds.hpp"

namespace kopiur::cli {

namespace {

bool same(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// `backupschedules` may be written `schedules`.
std::string_view brief(std::string_view name) {
  constexpr std::size_t front = std::string_view("backup").size();
  return name.size() > front + 1 && same(name.substr(0, front), "backup") ? name.substr(front) : name;
}

}  // namespace

std::span<proto::kind_info const> all_kinds() {
  static constexpr auto kinds =
      proto::infos_of(boost::mp11::mp_append<proto::own_kinds, proto::core_kinds, boost::mp11::mp_list<proto::job>>{});
  return kinds;
}

std::expected<proto::kind_info, std::string> find_kind(std::string_view named) {
  for (auto& one : all_kinds()) {
    auto short_names = one.short_name.empty() ? std::string() : std::string(one.short_name) + "s";  // as pvcs
    for (auto name : {one.kind, one.plural, one.singular, one.short_name, std::string_view(short_names)})
      if (!name.empty() && (same(name, named) || same(brief(name), named))) return one;
  }
  auto known = encoding::join(all_kinds(), ", ", &proto::kind_info::plural);
  return std::unexpected("There is no kind \"" + std::string(named) + "\". Name one of: " + known + ".");
}

}  // namespace kopiur::cli
