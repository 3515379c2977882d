#pragma once
#include "services/controller/core/admission.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// Cross-object validation: conflicts with other existing objects (spec/kopiur.md, Admission). Checked at admission, and again by the
/// services when they act: if the webhook was down, only the time of the report changes.
namespace kopiur::rules {

/// Which configs a config is compared with: all others when it is written, only older ones when it is used (so one of two continues).
enum class against { all, older };
/// Another config of the repository records the same identity and one of the same sources: a sentence that names it, or nothing.
std::optional<std::string> collision(controller::objects const& all, proto::backup_config const& config, any_repository const& repository,
                                     against whom);

/// Objection to a user's BackupConfig: a repository that it may not use, a collision, or an identity change while Backups have the old one.
std::optional<controller::finding> objection_to(controller::objects const& all, proto::backup_config const& wanted);
/// Objection to a user's Maintenance: a repository that it may not maintain, or that already has one; the default one does not count.
std::optional<controller::finding> objection_to(controller::objects const& all, proto::maintenance const& wanted);
/// Objection to a user's Restore: a repository that it may not use.
std::optional<controller::finding> objection_to(controller::objects const& all, proto::restore const& wanted);

/// A referenced object that does not exist. It may be created later, so this is no objection: the object waits and says so.
std::optional<controller::finding> missing_beside(controller::objects const& all, proto::repository const& wanted);
std::optional<controller::finding> missing_beside(controller::objects const& all, proto::cluster_repository const& wanted);
std::optional<controller::finding> missing_beside(controller::objects const& all, proto::backup_config const& wanted);
std::optional<controller::finding> missing_beside(controller::objects const& all, proto::backup_schedule const& wanted);
std::optional<controller::finding> missing_beside(controller::objects const& all, proto::maintenance const& wanted);
std::optional<controller::finding> missing_beside(controller::objects const& all, proto::restore const& wanted);

}  // namespace kopiur::rules
