#include "services/systems/hypershift/encryption.hpp"

namespace kopiur::hypershift {

std::optional<std::string> kms_key_of(proto::hosted_control_plane const& plane) {
  auto& encryption = plane.spec.secret_encryption;
  if (!encryption || !encryption->kms) return std::nullopt;
  auto& kms = *encryption->kms;
  if (kms.aws) return kms.aws->active_key.arn;
  if (!kms.azure) return std::string();  // another provider: encrypted, by a key of which we know no name
  auto& key = kms.azure->active_key;
  return "https://" + key.key_vault_name + ".vault.azure.net/keys/" + key.key_name + "/" + key.key_version;
}

}  // namespace kopiur::hypershift
