#pragma once
#include "services/systems/kopiur/rules/repositories.hpp"

/// Who kopia says took a config's snapshots, and whose namespace that is. decisions.md section 7.
namespace kopiur::rules {

/// `username@hostname` of a config: what its status has pinned, else what its spec and its repository's templates say.
proto::identity identity_of(proto::backup_config const& config, any_repository const& repository, std::string const& source_path);
/// The same from the spec and the templates alone: what it would be if it were resolved now.
proto::identity rendered_identity(proto::backup_config const& config, any_repository const& repository, std::string const& source_path);
/// `username@hostname:path`, as kopia prints it.
std::string identity_text(proto::identity const& who);
/// Value of the label `G/identity-hash`: of `username`, `hostname` and `sourcePath`.
std::string identity_hash(proto::identity const& who);
/// Do the templates of a shared repository come to this identity for some config of this namespace? Never where they do not tell
/// namespaces apart.
bool may_be_of(proto::cluster_repository_spec const& repository, proto::identity const& who, std::string const& ns);
/// May objects of this namespace bear, and read, the identity in this repository? Always in one of their own, and where its owner allows
/// foreign ones; else what its templates give the namespace.
bool may_use(any_repository const& repository, proto::identity const& who, std::string const& ns);
/// The same for a config's identity; nothing, or the refusal as a sentence. Where the templates do not tell namespaces apart, what they
/// give the config, with nothing of its own in it, is the owner's wish. Read again each time: what was pinned may have been allowed
/// elsewhere.
std::optional<std::string> foreign_identity(proto::backup_config const& config, any_repository const& repository);
/// The same for a Restore's word of an identity, here and below.
std::optional<std::string> foreign_to(std::string const& ns, proto::identity const& who, any_repository const& repository);
/// The same for what a Backup has saved. What is nobody's is shown in the namespace that the owner chose for it (fallbackNamespace).
std::optional<std::string> foreign_snapshot(proto::backup const& object, any_repository const& repository);
/// The namespace in which a repository's own movers run, and where its default Maintenance lives: for a shared one the operator's.
std::string home_of(any_repository const& repository);
/// May objects of this namespace use it? Nothing, or the refusal as a sentence.
std::optional<std::string> not_allowed(controller::objects const& all, any_repository const& repository,
                                       std::string const& consumer_namespace);
/// Does a shared repository's `allowedNamespaces` admit this namespace? A selector sees the labels of the Namespace where it is mirrored.
bool allows(controller::objects const& all, proto::cluster_repository_spec const& repository, std::string const& ns);

}  // namespace kopiur::rules
