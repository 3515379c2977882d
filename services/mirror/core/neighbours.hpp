#pragma once
#include "services/mirror/core/objects.hpp"

/// What an object must not be because of what is there beside it (spec/kopiur.md, Admission). Asked when a user writes it, and again by the
/// services when they act: a check that was down changes nothing but when the user hears of it.
namespace kopiur::mirror {

/// With whom a config is compared: with all others when it is written, with older ones when it is used (one of two goes on).
enum class against { all, older };
/// Another config of the repository records the same identity and a same source: a sentence that names it, or nothing.
std::optional<std::string> collision(objects const& all, proto::backup_config const& config, repository_sight const& repository,
                                     against whom);

struct objection {
  std::string field, message;
};
/// To a user's BackupConfig: a collision, or an identity that would change while Backups bear it.
std::optional<objection> objection_to(objects const& all, proto::backup_config const& wanted);
/// To a user's Maintenance: the repository has one already; the default one does not count.
std::optional<objection> objection_to(objects const& all, proto::maintenance const& wanted);

}  // namespace kopiur::mirror
