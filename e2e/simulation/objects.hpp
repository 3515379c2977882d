#pragma once
#include <vector>

#include "common/json/value.hpp"

namespace kopiur::simulation {

/// What stands in the cluster at the start: two tenants with a repository each, their claims, recipes, schedules, a Maintenance.
std::vector<json::value> first_objects();
/// The part of it that is in this namespace, with the namespace.
std::vector<json::value> objects_of(std::string const& ns);
/// A volume; `backup`: its label of that name.
json::value claim(std::string const& ns, std::string const& name, std::string const& backup = "no");
/// A recipe of these claims, by name; `hooked`: with hooks that bring the tenant's application to rest.
json::value config_of_claims(std::string const& ns, std::string const& name, std::vector<std::string> const& claims, bool hooked = false);
/// A BackupSchedule of a config; `rules`: the members of its spec.schedule.
json::value schedule_of(std::string const& ns, std::string const& name, std::string const& config, std::string const& rules);
/// The condition of that type in an object's status; null where there is none.
json::value const* condition_of(json::value const& object, std::string_view type);
/// A Backup that Succeeded, Failed or is Held.
bool is_over(json::value const& backup);
/// A manual Backup of a config; without a source: of all that it has.
json::value manual_backup(std::string const& ns, std::string const& name, std::string const& config, std::string const& source = "");
/// A Restore of the newest snapshot of a config's source, into an existing claim or a new one; `or_empty`: where there is none, that is
/// fine.
json::value new_restore(std::string const& ns, std::string const& name, std::string const& config, std::string const& source,
                        std::string const& claim, bool existing, bool or_empty);

}  // namespace kopiur::simulation
