#include "services/cli/core/manifests.hpp"

#include <algorithm>

#include "common/hash/stable_hash.hpp"
#include "proto/kinds/names.hpp"

namespace kopiur::cli {

namespace {

json::value manifest(std::string_view kind, std::string const& ns, std::string const& name, json::value spec) {
  return json::object{{"apiVersion", proto::api_version},
                      {"kind", kind},
                      {"metadata", json::object{{"name", name}, {"namespace", ns}}},
                      {"spec", std::move(spec)}};
}

std::string compact(instant at) {
  auto text = to_text(std::chrono::floor<std::chrono::seconds>(at));  // 2026-11-21T06:00:00Z
  std::erase_if(text, [](char c) { return c == '-' || c == ':' || c == 'Z'; });
  std::ranges::replace(text, 'T', '-');
  return text;
}

std::string fitting(std::string name) { return name.size() <= 63 ? name : name.substr(0, 54) + "-" + hash::digest_hex({name}, 8); }

std::optional<std::string> wrong_choice(restore_order const& of) {
  if (of.config.has_value() == of.backup.has_value()) return "Say what to restore: either --config or --backup.";
  if (of.backup && (of.as_of || of.offset)) return "--as-of and --offset choose among the Backups of a config; --backup names one already.";
  if (of.claim.empty()) return "Say where to with --to CLAIM; with --existing it has to be there already.";
  if (of.existing && of.capacity) return "--capacity is for a claim that is made; it does not go with --existing.";
  return {};
}

}  // namespace

json::value import_manifest(import_order const& of) {
  auto name = "import-" + of.config + "-" + compact(of.at);
  if (of.source_path) name += "-" + hash::digest_hex({*of.source_path}, 6);
  json::value spec =
      json::object{{"configRef", json::object{{"name", of.config}}}, {"import", json::object{{"at", to_text(of.at)}, {"from", of.from}}}};
  if (of.source_path) spec.set("sourcePath", *of.source_path);
  return manifest("Backup", of.ns, fitting(name), std::move(spec));
}

std::expected<json::value, std::string> restore_manifest(restore_order const& of) {
  if (auto wrong = wrong_choice(of)) return std::unexpected(*wrong);
  json::value from = json::object{{"name", of.config ? *of.config : *of.backup}};
  if (of.source_path) from.set("sourcePath", *of.source_path);
  if (of.as_of) from.set("asOf", to_text(*of.as_of));
  if (of.offset) from.set("offset", of.offset);
  json::value claim = json::object{{"name", of.claim}};
  if (of.capacity) claim.set("capacity", *of.capacity);
  json::value spec = json::object{{"source", json::object{{of.config ? "fromConfig" : "backupRef", std::move(from)}}},
                                  {"target", json::object{{of.existing ? "pvcRef" : "pvc", std::move(claim)}}}};
  return manifest("Restore", of.ns, of.name, std::move(spec));
}

json::value backup_request_body(std::string const& id, std::string const& config, std::optional<std::string> const& source_path) {
  json::value body = json::object{{"id", id}, {"config", config}};
  if (source_path) body.set("sourcePath", *source_path);
  return body;
}

}  // namespace kopiur::cli
