#pragma once
#include <vector>

#include "common/json/value.hpp"

namespace kopiur::simulation {

/// The objects at the start: two tenants, each with a repository, claims, BackupConfigs, schedules and a Maintenance.
std::vector<json::value> first_objects();
/// Those of them in this namespace, and the Namespace itself.
std::vector<json::value> objects_of(std::string const& ns);
/// A claim; `backup`: the value of its label `backup`.
json::value claim(std::string const& ns, std::string const& name, std::string const& backup = "no");
/// A BackupConfig of these claims, by name; `hooked`: with hooks that quiesce the tenant's application.
json::value config_of_claims(std::string const& ns, std::string const& name, std::vector<std::string> const& claims, bool hooked = false);
/// A BackupSchedule of a config; `rules`: the members of its spec.schedule.
json::value schedule_of(std::string const& ns, std::string const& name, std::string const& config, std::string const& rules);
/// The condition of that type in an object's status; null where there is none.
json::value const* condition_of(json::value const& object, std::string_view type);
/// A Backup that Succeeded, Failed or is Held.
bool is_over(json::value const& backup);
/// A Restore that is to write nothing.
bool is_dry(json::value const& restore);
/// Its status describes the dry run; the user may have requested the act since.
bool is_planned(json::value const& restore);
/// A manual Backup of a config; without a source: of all its sources.
json::value manual_backup(std::string const& ns, std::string const& name, std::string const& config, std::string const& source = "");
/// A Restore of the newest snapshot of a config's source, into an existing claim or a new one; `or_empty`: the claim may stay empty if no
/// snapshot exists.
json::value new_restore(std::string const& ns, std::string const& name, std::string const& config, std::string const& source,
                        std::string const& claim, bool existing, bool or_empty);

}  // namespace kopiur::simulation
