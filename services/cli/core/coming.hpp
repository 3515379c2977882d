#pragma once
#include <string>
#include <vector>

#include "common/json/value.hpp"
#include "services/cli/core/table.hpp"
#include "services/controller/core/objects.hpp"

/// What will run when (`kopiur next`), and what retention would delete (`kopiur explain retention`). Pure.
namespace kopiur::cli {

/// A future slot; `at` is when it begins, jitter included.
struct coming_slot {
  instant time{};
  std::string kind, ns, name;
  std::string what;     ///< backup, quick maintenance, full maintenance
  std::string problem;  ///< why it would not run in the present state; empty: no problem
};
/// The first `most` slots of all schedules and maintenances, by time; suspended ones have none.
std::vector<coming_slot> coming(controller::objects const& all, std::string const& ns, bool everywhere, instant now, std::size_t most);
table coming_table(std::vector<coming_slot> const& slots, instant now);
json::value coming_json(std::vector<coming_slot> const& slots);

/// A Backup, and whether retention keeps it.
struct fate {
  std::string set;  ///< user@host:path
  std::string backup;
  instant ended{};
  bool stays = true;
  std::vector<std::string> reasons;
  std::string text;
};
/// What retention decides for a config now; with `instead`, what it would decide under those rules. The error is a sentence. Deletes
/// nothing.
std::expected<std::vector<fate>, std::string> fates(controller::objects const& all, proto::backup_config config,
                                                    std::optional<proto::retention_policy> instead, instant now);
table fates_table(std::vector<fate> const& fates, instant now);
json::value fates_json(std::vector<fate> const& fates);
/// The sentence below the table; `by_given_rules`: by rules that are not those of the config.
std::string fates_summary(std::vector<fate> const& fates, bool by_given_rules);

}  // namespace kopiur::cli
