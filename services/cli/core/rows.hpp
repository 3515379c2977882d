#pragma once
#include <span>
#include <string>
#include <string_view>

#include "services/cli/core/table.hpp"
#include "services/controller/core/objects.hpp"

/// Objects as tables. Pure.
namespace kopiur::cli {

/// Which objects to show: those of one namespace, or of all (then a column names the namespace).
struct selection {
  std::string ns = "default";
  bool everywhere = false;
  std::string name;  ///< empty: all
};

/// True when the selection includes an object of that namespace (empty: cluster-scoped) and name.
bool selected(selection const& which, std::string_view ns, std::string_view name);

/// The table of a kind's objects by its printer columns, as `kubectl get` shows it; `wide`: all columns.
table table_of(proto::kind_info const& kind, std::span<json::value const> found, bool everywhere, bool wide, instant now);
/// Backups, optionally of one config: by time, with snapshot and sizes.
table backups_table(controller::objects const& all, selection const& which, std::string_view config, instant now);

}  // namespace kopiur::cli
