#pragma once
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

/// A table of one kind; the newest Backups last. Unknown kinds have no rows.
table table_of(controller::objects const& all, std::string_view kind, selection const& which, instant now);
/// Backups, of one config when it is named: by time, with snapshot and sizes.
table backups_table(controller::objects const& all, selection const& which, std::string_view config, instant now);

}  // namespace kopiur::cli
