#include "services/cli/core/secret_env.hpp"

#include <algorithm>

#include "common/encoding/base64.hpp"

namespace kopiur::cli {

namespace {

std::string variable_name(std::string name) {
  auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
  std::ranges::replace_if(name, [&](char c) { return !is_plain(c); }, '_');
  return name.empty() || (name.front() >= '0' && name.front() <= '9') ? "_" + name : name;
}

/// In single quotes a shell reads everything as it is, except a single quote.
std::string quoted(std::string const& text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::expected<std::string, std::string> secret_env(json::value const& secret) {
  std::string lines;
  auto* data = secret.find("data");
  if (!data || !data->as_object()) return lines;
  for (auto const& [key, encoded] : *data->as_object()) {
    auto value = encoded.as_string() ? encoding::from_base64(*encoded.as_string()) : std::nullopt;
    if (!value) return std::unexpected("The key " + key + " of the Secret is not base64: apply it again, with stringData for plain text.");
    if (value->contains('\0')) return std::unexpected("The key " + key + " of the Secret has a zero byte, which no variable can hold.");
    lines += variable_name(key) + "=" + quoted(*value) + "\n";
  }
  return lines;
}

}  // namespace kopiur::cli
