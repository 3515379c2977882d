#pragma once
#include <expected>

#include "services/executor/core/openbao/settings.hpp"

namespace kopiur::executor::openbao {

/// The key of a new backup: BACKUP_KEY, else `[PATH/]NAMESPACE/CLUSTER/[FILE-]2026-11-30T12-00-00Z-RANDOM.snap`, as openbao-operator names
/// them. `random`: 8 hexadecimal digits.
std::string backup_key(backup_settings const& what, instant now, std::string const& random);

/// Where the blobs of an Azure account are, and its key.
struct azure_account {
  std::string endpoint, name;
  std::string key{};  ///< decoded; empty: unknown
};
/// From a connection string, which wins, or from the settings with an account's key as base64 (empty: none). Another endpoint than Azure's
/// has the account in its path, as emulators have it. The error is a sentence that names no value.
std::expected<azure_account, std::string> azure_account_of(store_place const& place, std::string const& connection,
                                                           std::string const& encoded_key);

}  // namespace kopiur::executor::openbao
