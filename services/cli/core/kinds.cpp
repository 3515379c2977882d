#include "services/cli/core/kinds.hpp"

#include <algorithm>
#include <cctype>

#include "common/encoding/join.hpp"
#include "proto/kinds/kinds.hpp"

namespace kopiur::cli {

namespace {

bool same(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// `backupschedules` is `schedules` too.
std::string_view brief(std::string_view name) {
  constexpr std::size_t front = std::string_view("backup").size();
  return name.size() > front + 1 && same(name.substr(0, front), "backup") ? name.substr(front) : name;
}

template <class... T>
void add(std::vector<proto::kind_info>& to, boost::mp11::mp_list<T...>) {
  (to.push_back(T::info), ...);
}

}  // namespace

std::vector<proto::kind_info> const& all_kinds() {
  static auto const kinds = [] {
    std::vector<proto::kind_info> all;
    add(all, proto::kopiur_kinds());
    add(all, proto::core_kinds());
    all.push_back({.kind = "Job", .plural = "jobs", .singular = "job", .short_name = ""});
    return all;
  }();
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
