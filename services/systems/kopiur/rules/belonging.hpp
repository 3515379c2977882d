#pragma once
#include <string>
#include <vector>

#include "proto/events/run.hpp"
#include "services/controller/core/metadata.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// Relations between objects, shared by all services.
namespace kopiur::rules {

/// The Backup names this config in its spec.
bool is_of(proto::backup const& object, proto::backup_config const& config);
/// All Backups of the config, including those being deleted.
std::vector<proto::backup const*> backups_of(controller::objects const& all, proto::backup_config const& config);
/// All Backups of the namespace whose snapshot is of this source, of whatever repository.
std::vector<proto::backup const*> backups_of(controller::objects const& all, std::string const& ns, proto::identity const& who);

/// The snapshot is in the kopia repository of that unique id, according to its status.
bool lies_in(proto::backup const& object, std::string const& unique_ID);

/// Created by catalog-discovery, not by a user.
bool is_default(proto::maintenance const& one);
/// Why objects of this namespace may not maintain the repository; nothing: they may. Only its home namespace may (identity.hpp), because
/// maintenance can delete what others have saved.
std::optional<std::string> may_not_maintain(controller::objects const& all, any_repository const& repository, std::string const& ns);
/// The Maintenances of a repository that are not being deleted. One in a namespace that may not maintain the repository does not count,
/// because it would displace the default one.
std::vector<proto::maintenance const*> maintenances_of(controller::objects const& all, any_repository const& repository);

/// The name of the Restore, in the claim's namespace, that will fill it (`dataSourceRef`, `dataSource`); empty: none.
std::string filling_restore(proto::persistent_volume_claim const& claim);
/// It has no volume yet, and its class provisions one only when a pod uses it (`volumeBindingMode: WaitForFirstConsumer`).
bool waits_for_consumer(controller::objects const& all, proto::persistent_volume_claim const& claim);
/// The scheduler has found a node for the first pod that uses the claim.
bool has_consumer(proto::persistent_volume_claim const& claim);

}  // namespace kopiur::rules
