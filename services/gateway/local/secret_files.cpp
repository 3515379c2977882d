#include "services/gateway/local/secret_files.hpp"

#include <set>

#include "common/encoding/base64.hpp"
#include "common/files/files.hpp"

namespace kopiur::gateway::local {

namespace fs = std::filesystem;

namespace {

fs::path folder_of(fs::path const& data, object_key const& key) { return data / "secrets" / key.namespace_ / key.name; }

}  // namespace

void show_secret(fs::path const& data, json::value const& secret) {
  auto folder = folder_of(data, key_of(secret));
  files::make_folder(folder, 0700);
  std::set<std::string> shown;
  auto* content = secret.find("data");
  if (content && content->as_object())
    for (auto const& [key, text] : *content->as_object()) {
      auto value = text.as_string() && files::is_plain_name(key) ? encoding::from_base64(*text.as_string()) : std::nullopt;
      if (!value) continue;
      shown.insert(key);
      if (files::read_file(folder / key) != *value) files::write_file(folder / key, *value, 0600);
    }
  for (auto const& each : fs::directory_iterator(folder))
    if (!shown.contains(each.path().filename().string())) files::remove_file(each.path());
}

void hide_secret(fs::path const& data, object_key const& secret) {
  std::error_code none;
  fs::remove_all(folder_of(data, secret), none);
}

}  // namespace kopiur::gateway::local
