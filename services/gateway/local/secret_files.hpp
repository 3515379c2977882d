#pragma once
#include <filesystem>

#include "services/gateway/core/names.hpp"

/// Minted Secrets as files, for programs of this host: `secrets/<namespace>/<name>/<key>` in the data folder, each 0600.
namespace kopiur::gateway::local {

/// Writes what differs, and removes the files of keys that the Secret does not have. A key whose name is no file name is left out.
void show_secret(std::filesystem::path const& data, json::value const& secret);
void hide_secret(std::filesystem::path const& data, object_key const& secret);

}  // namespace kopiur::gateway::local
