#pragma once
#include <string>
#include <vector>

#include "proto/events/run.hpp"
#include "services/controller/core/metadata.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// Which object belongs to which, as every service reads it.
namespace kopiur::rules {

/// A Backup of this config, by the name in its spec.
bool is_of(proto::backup const& object, proto::backup_config const& config);
/// All of them; a deletion that goes on included.
std::vector<proto::backup const*> backups_of(controller::objects const& all, proto::backup_config const& config);

/// Its snapshot is in the kopia repository of that unique id, as its status says.
bool lies_in(proto::backup const& object, std::string const& unique_ID);

/// Made by catalog-discovery, not by a user.
bool is_default(proto::maintenance const& one);
/// Nothing, or why objects of this namespace may not maintain the repository: only its home may (identity.hpp), since who maintains a
/// repository can delete what others saved in it.
std::optional<std::string> may_not_maintain(controller::objects const& all, any_repository const& repository, std::string const& ns);
/// The Maintenances of a repository that are not being deleted. One of a namespace that may not maintain it is none of it: a stranger would
/// displace the default one.
std::vector<proto::maintenance const*> maintenances_of(controller::objects const& all, any_repository const& repository);

/// The name of the Restore in the claim's own namespace that is to fill it (`dataSourceRef`, `dataSource`); empty when there is none.
std::string filling_restore(proto::persistent_volume_claim const& claim);
/// It has no volume yet, and its class gives it one only where the first pod runs that uses it (`volumeBindingMode: WaitForFirstConsumer`).
bool waits_for_consumer(controller::objects const& all, proto::persistent_volume_claim const& claim);
/// The scheduler has found a node for the first pod that uses the claim.
bool has_consumer(proto::persistent_volume_claim const& claim);

}  // namespace kopiur::rules
