#pragma once
#include "services/systems/kopiur/rules/repositories.hpp"

/// The identity under which kopia records a config's snapshots, and which namespace may use it. decisions.md section 7.
namespace kopiur::rules {

/// `username@hostname` of a config: pinned in its status, else derived from its spec and its repository's templates.
proto::identity identity_of(proto::backup_config const& config, any_repository const& repository, std::string const& source_path);
/// The same from the spec and the templates only: the result if it were resolved now.
proto::identity rendered_identity(proto::backup_config const& config, any_repository const& repository, std::string const& source_path);
/// `username@hostname:path`, as kopia prints it.
std::string identity_text(proto::identity const& who);
/// Value of the label `G/identity-hash`: hash of `username`, `hostname` and `sourcePath`.
std::string identity_hash(proto::identity const& who);
/// Whether the templates of a shared repository give this identity to some config of the namespace. Never if they do not distinguish
/// namespaces.
bool may_be_of(proto::cluster_repository_spec const& repository, proto::identity const& who, std::string const& ns);
/// Whether objects of this namespace may use and read the identity in this repository. Always in a Repository of the namespace, or if the
/// owner allows foreign identities; otherwise only identities that the templates give to the namespace.
bool may_use(any_repository const& repository, proto::identity const& who, std::string const& ns);
/// The same for a config's identity; the refusal as a sentence, or nothing. If the templates do not distinguish namespaces, an identity
/// that comes from them alone is allowed: the repository's owner chose it. Checked at each use, because a pinned identity may have been
/// allowed for another repository.
std::optional<std::string> foreign_identity(proto::backup_config const& config, any_repository const& repository);
/// The same for an identity stated by a Restore.
std::optional<std::string> foreign_to(std::string const& ns, proto::identity const& who, any_repository const& repository);
/// The same for a Backup's snapshot. Snapshots that belong to no namespace appear in the one that the owner chose (fallbackNamespace).
std::optional<std::string> foreign_snapshot(proto::backup const& object, any_repository const& repository);
/// The namespace in which a repository's own movers run and its default Maintenance is created; for a shared repository the operator's.
std::string home_of(any_repository const& repository);
/// Whether objects of this namespace may use it: nothing, or the refusal as a sentence.
std::optional<std::string> not_allowed(controller::objects const& all, any_repository const& repository,
                                       std::string const& consumer_namespace);
/// Whether `allowedNamespaces` of a shared repository allows this namespace. A selector is matched against the labels of the mirrored
/// Namespace.
bool allows(controller::objects const& all, proto::cluster_repository_spec const& repository, std::string const& ns);

}  // namespace kopiur::rules
