#pragma once
#include <span>
#include <string>
#include <string_view>

#include "services/cli/core/table.hpp"
#include "services/controller/core/objects.hpp"

/// Objects as tables. Pure.
namespace kopiur::cli {

/// Which objects: of one namespace, or of all (then a column says which).
struct selection {
  std::string ns = "default";
  bool everywhere = false;
  std::string name;  ///< empty: all
};

/// True when an object of that namespace (empty: cluster-scoped) and name is asked for.
bool selected(selection const& which, std::string_view ns, std::string_view name);

/// The table of a kind's objects by its printer columns, as `kubectl get` shows it; `wide`: all of them.
table table_of(proto::kind_info const& kind, std::span<json::value const> found, bool everywhere, bool wide, instant now);
/// Backups, of one config when it is named: by time, with snapshot and sizes.
table backups_table(controller::objects const& all, selection const& which, std::string_view config, instant now);

}  // namespace kopiur::cli
