#pragma once
#include <set>
#include <string>
#include <vector>

#include "proto/events/run.hpp"
#include "services/mirror/core/objects.hpp"

/// Which object belongs to which, as every service reads it.
namespace kopiur::mirror {

/// The manifest of an object of the local folder has vanished: it is suspended, and nothing is deleted (decisions.md section 10).
bool is_manifest_missing(proto::object_meta const& meta);

/// This run made it: by the annotation or the label that create-or-prove goes by (proto/events/command.hpp). A name alone proves nothing.
bool is_made_by(proto::object_meta const& meta, std::string_view run);

/// Whom a run concerns: the uids of all that it is for, that it serves, or that are among its items; and, once it is planned, the unique id
/// of the kopia repository, which outlives the object that stands for it.
std::set<std::string> concerned(proto::run_state const& run);

/// A Backup of this config, by the name in its spec.
bool is_of(proto::backup const& object, proto::backup_config const& config);
/// All of them; a deletion that goes on included.
std::vector<proto::backup const*> backups_of(objects const& all, proto::backup_config const& config);

/// Its snapshot is in the kopia repository of that unique id, as its status says.
bool lies_in(proto::backup const& object, std::string const& unique_ID);

/// Made by catalog-discovery, not by a user.
bool is_default(proto::maintenance const& one);
/// Nothing, or why objects of this namespace may not maintain the repository: only its home may (identity.hpp), since who maintains a
/// repository can delete what others saved in it.
std::optional<std::string> may_not_maintain(objects const& all, repository_sight const& repository, std::string const& ns);
/// The Maintenances of a repository that are not being deleted. One of a namespace that may not maintain it is none of it: a stranger would
/// displace the default one.
std::vector<proto::maintenance const*> maintenances_of(objects const& all, repository_sight const& repository);

/// The name of the Restore in the claim's own namespace that is to fill it (`dataSourceRef`, `dataSource`); empty when there is none.
std::string filling_restore(proto::persistent_volume_claim const& claim);
/// It has no volume yet, and its class gives it one only where the first pod runs that uses it (`volumeBindingMode: WaitForFirstConsumer`).
bool waits_for_consumer(objects const& all, proto::persistent_volume_claim const& claim);
/// The scheduler has found a node for the first pod that uses the claim.
bool has_consumer(proto::persistent_volume_claim const& claim);

}  // namespace kopiur::mirror
