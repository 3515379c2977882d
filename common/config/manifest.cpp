#include "common/config/manifest.hpp"

#include <cstdio>
#include <fstream>
#include <sstream>

namespace kopiur::config {
namespace {

std::string on_one_line(std::string const& text) {
  std::string out;
  for (char c : text) {
    auto code = static_cast<unsigned char>(c);
    char escaped[5] = {c, 0};
    if (code < 0x20 || code == 0x7f) std::snprintf(escaped, sizeof escaped, "\\x%02x", unsigned{code});
    out += escaped;
  }
  return out;
}

}  // namespace

std::string problem::text() const {
  std::string out = file;
  if (position.line > 0) out += ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
  if (!out.empty()) out += ": ";
  if (!path.empty()) out += path + ": ";
  return on_one_line(out + what);
}

position positions::find(std::string_view path) const {
  for (;;) {
    if (auto found = positions_.find(path); found != positions_.end()) return found->second;
    auto cut = path.find_last_of(".[");
    if (path.empty()) return {};
    path = cut == path.npos ? std::string_view{} : path.substr(0, cut);
  }
}

problem manifest::blame(std::string_view path, std::string what) const {
  return {file, where.find(path), std::string(path), std::move(what)};
}

std::expected<std::vector<manifest>, problem> read_manifest_file(std::filesystem::path const& file) {
  auto fails = [&](std::string what) { return std::unexpected(problem{file.string(), {}, "", std::move(what)}); };
  std::error_code failed;
  auto size = std::filesystem::file_size(file, failed);
  if (failed) return fails("cannot be read: " + failed.message() + ". Check the path and its permissions.");
  if (size > max_file_bytes) return fails("is larger than 32 MiB, which no set of manifests is. Name another file, or split this one.");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) return fails("cannot be read. Check its permissions.");
  return read_manifests(text.str(), file.string());
}

}  // namespace kopiur::config
