#include "services/cli/core/manifests.hpp"

#include <algorithm>

#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "proto/kopiur/names.hpp"

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
  if (of.config.has_value() + of.backup.has_value() + of.identity.has_value() != 1)
    return "Say what to restore: one of --config, --backup and --identity.";
  if (of.backup && (of.as_of || of.offset))
    return "--as-of and --offset choose among the snapshots of a source; --backup names one already.";
  if (of.snapshot && !of.identity) return "--snapshot is one of a source: add --identity USER@HOST:PATH (kopiur backups shows both).";
  if (of.snapshot && (of.as_of || of.offset)) return "--snapshot names one already; it does not go with --as-of and --offset.";
  if (of.claim.empty() && !of.dry_run) return "Name the target with --to CLAIM; with --existing it must exist already.";
  if (of.existing && of.capacity) return "--capacity is for a claim that is made; it does not go with --existing.";
  if (of.claim.empty() && (of.existing || of.capacity)) return "--existing and --capacity are about the claim of --to.";
  return {};
}

void choose(json::value& from, restore_order const& of) {
  if (of.as_of) from.set("asOf", to_text(*of.as_of));
  if (of.offset) from.set("offset", of.offset);
}

json::value named_source(restore_order const& of) {
  json::value from = json::object{{"name", of.config ? *of.config : *of.backup}};
  if (of.source_path) from.set("sourcePath", *of.source_path);
  choose(from, of);
  return json::object{{of.config ? "fromConfig" : "backupRef", std::move(from)}};
}

/// The host ends at the first colon: the path may contain more of them.
std::expected<json::value, std::string> identity_source(restore_order const& of) {
  auto& text = *of.identity;
  auto at = text.find('@'), colon = at == text.npos ? text.npos : text.find(':', at);
  bool whole = at != text.npos && at > 0 && colon != text.npos && colon > at + 1 && colon + 1 < text.size();
  if (!whole) return std::unexpected("\"" + text + "\" is not an identity: it has to be USER@HOST:PATH, as kopia records it.");
  json::value from = json::object{
      {"username", text.substr(0, at)}, {"hostname", text.substr(at + 1, colon - at - 1)}, {"sourcePath", text.substr(colon + 1)}};
  if (of.snapshot) from.set("snapshotID", *of.snapshot);
  choose(from, of);
  return json::object{{"identity", std::move(from)}};
}

json::value options_of(restore_order const& of) {
  json::value options = json::value::make_object();
  if (of.path) options.set("path", *of.path);
  if (of.require_ownership) options.set("requireOwnership", true);
  return options;
}

}  // namespace

json::value import_manifest(import_order const& of) {
  auto name = "import-" + of.config + "-" + compact(of.at);
  if (of.source_path) name += "-" + hash::digest_hex({*of.source_path}, 6);
  json::value spec =
      json::object{{"configRef", json::object{{"name", of.config}}}, {"import", json::object{{"at", to_text(of.at)}, {"from", of.from}}}};
  if (of.source_path) spec.set("sourcePath", *of.source_path);
  return manifest(proto::backup::info.kind, of.ns, fitting(name), std::move(spec));
}

proto::repository_ref repository_named(std::string const& text) {
  constexpr std::string_view shared = "ClusterRepository/";
  if (text.starts_with(shared)) return {.kind = proto::repository_kind::ClusterRepository, .name = text.substr(shared.size())};
  return {.kind = proto::repository_kind::Repository, .name = text};
}

std::expected<proto::repository_ref, std::string> only_repository(controller::objects const& all, std::string const& ns) {
  std::vector<proto::repository_ref> found;
  for (auto& [key, _] : all.of<proto::repository>())
    if (key.namespace_ == ns) found.push_back({.kind = proto::repository_kind::Repository, .name = key.name});
  if (found.size() == 1) return found.front();
  return std::unexpected("Say in which repository the identity is, with --repository NAME (or ClusterRepository/NAME): namespace " + ns +
                         " has " + std::to_string(found.size()) + ".");
}

std::expected<json::value, std::string> restore_manifest(restore_order const& of) {
  if (auto wrong = wrong_choice(of)) return std::unexpected(*wrong);
  auto source = of.identity ? identity_source(of) : named_source(of);
  if (!source) return std::unexpected(source.error());
  json::value spec = json::object{{"source", *std::move(source)}};
  if (of.identity && of.repository) spec.set("repository", json::encode(*of.repository));
  json::value claim = json::object{{"name", of.claim}};
  if (of.capacity) claim.set("capacity", *of.capacity);
  if (!of.claim.empty()) spec.set("target", json::object{{of.existing ? "pvcRef" : "pvc", std::move(claim)}});
  if (auto options = options_of(of); !options.as_object()->empty()) spec.set("options", std::move(options));
  if (of.dry_run) spec.set("dryRun", true);
  return manifest(proto::restore::info.kind, of.ns, of.name, std::move(spec));
}

json::value backup_request_body(std::string const& id, std::string const& config, std::optional<std::string> const& source_path) {
  json::value body = json::object{{"id", id}, {"config", config}};
  if (source_path) body.set("sourcePath", *source_path);
  return body;
}

}  // namespace kopiur::cli
