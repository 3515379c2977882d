#pragma once
#include "services/controller/core/admission.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// What an object must not be because of what is there beside it (spec/kopiur.md, Admission). Asked when a user writes it, and again by the
/// services when they act: a check that was down changes nothing but when the user hears of it.
namespace kopiur::rules {

/// With whom a config is compared: with all others when it is written, with older ones when it is used (one of two goes on).
enum class against { all, older };
/// Another config of the repository records the same identity and a same source: a sentence that names it, or nothing.
std::optional<std::string> collision(controller::objects const& all, proto::backup_config const& config, any_repository const& repository,
                                     against whom);

/// To a user's BackupConfig: a repository that it may not use, a collision, or an identity that would change while Backups bear it.
std::optional<controller::finding> objection_to(controller::objects const& all, proto::backup_config const& wanted);
/// To a user's Maintenance: a repository that it may not maintain, or that has one already; the default one does not count.
std::optional<controller::finding> objection_to(controller::objects const& all, proto::maintenance const& wanted);
/// To a user's Restore: a repository that it may not use.
std::optional<controller::finding> objection_to(controller::objects const& all, proto::restore const& wanted);

/// What is named and is not there. It may come yet, so it is no objection: the object waits for it, and says so.
std::optional<controller::finding> missing_beside(controller::objects const& all, proto::backup_config const& wanted);
std::optional<controller::finding> missing_beside(controller::objects const& all, proto::backup_schedule const& wanted);
std::optional<controller::finding> missing_beside(controller::objects const& all, proto::maintenance const& wanted);
std::optional<controller::finding> missing_beside(controller::objects const& all, proto::restore const& wanted);

}  // namespace kopiur::rules
