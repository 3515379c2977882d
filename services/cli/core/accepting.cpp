#include "services/cli/core/accepting.hpp"

namespace kopiur::cli {

std::expected<proto::shrinkage, std::string> acceptable(controller::objects const& all, std::string const& ns, std::string const& name) {
  auto* found = controller::find(all.of<proto::backup>(), ns, name);
  if (!found || found->status.phase != proto::backup_phase::Held)
    return std::unexpected("There is nothing to accept: Backup " + name + " is not held.");
  if (!found->status.shrunk) return std::unexpected("Backup " + name + " stands for several sources: accept those that its status names.");
  return *found->status.shrunk;
}

std::string accepted_text(std::string const& name, proto::shrinkage const& accepted) {
  return "Backup " + name + " is accepted with " + std::to_string(accepted.files) + " files, where there were " +
         std::to_string(accepted.files_before) + "; the next ones are compared with it.";
}

}  // namespace kopiur::cli
