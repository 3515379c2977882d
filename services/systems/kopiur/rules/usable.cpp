#include "services/systems/kopiur/rules/usable.hpp"

#include <algorithm>
#include <array>

#include "services/systems/kopiur/rules/belonging.hpp"
#include "services/systems/kopiur/rules/suspension.hpp"

namespace kopiur::rules {

using namespace proto;

namespace {
constexpr std::string_view config_suspended = "ConfigSuspended", repository_suspended = "RepositorySuspended",
                           manifest_missing = "ManifestMissing", repository_not_ready = "RepositoryNotReady";
}

std::optional<wait_reason> not_usable(any_repository const& repository) {
  auto name = repository.ref().kind + " " + repository.meta->name;
  if (is_suspended(repository)) return wait_reason{std::string(repository_suspended), suspended_text(suspension_of(repository))};
  if (repository.meta->deletion_timestamp) return wait_reason{"RepositoryDeleting", name + " is being deleted."};
  auto& status = *repository.status;
  bool usable = status.unique_ID && (status.phase == repository_phase::Ready || status.phase == repository_phase::Degraded);
  if (!usable)
    return wait_reason{std::string(repository_not_ready), "Waiting until " + name + " is Ready; its own conditions say why it is not."};
  return {};
}

std::optional<wait_reason> not_usable(controller::objects const& all, any_repository const& repository, bucket_use use) {
  auto why = not_usable(repository);
  if (why && why->reason != repository_not_ready) return why;
  auto without_bucket = no_bucket(all, repository, use);
  return without_bucket ? without_bucket : why;
}

std::optional<wait_reason> not_usable(backup_config const& config) {
  if (is_suspended(config)) return wait_reason{std::string(config_suspended), suspended_text(suspension_of(config))};
  if (controller::is_manifest_missing(config.metadata))
    return wait_reason{std::string(manifest_missing), "The manifest of BackupConfig " + config.metadata.name +
                                                          " has vanished from the manifest folder; put it back, or delete the config."};
  return {};
}

bool is_suspension(wait_reason const& why) {
  static constexpr std::array all{config_suspended, repository_suspended, manifest_missing};
  return std::ranges::find(all, why.reason) != all.end();
}

}  // namespace kopiur::rules
