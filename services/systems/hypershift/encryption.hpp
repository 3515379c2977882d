#pragma once
#include <optional>
#include <string>

#include "proto/hypershift/hosted.hpp"

namespace kopiur::hypershift {

/// The key that encrypts what is in the etcd of this control plane: AWS: an ARN; Azure: the URL of a key. Nothing: it is not encrypted by a
/// key of a KMS. Without that key a snapshot cannot be restored.
std::optional<std::string> kms_key_of(proto::hosted_control_plane const& plane);

}  // namespace kopiur::hypershift
