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

std::string compact(instant time) {
  auto text = to_text(std::chrono::floor<std::chrono::seconds>(time));  // 2026-11-21T06:00:00Z
  std::erase_if(text, [](char c) { return c == '-' || c == ':' || c == 'Z'; });
  std::ranges::replace(text, 'T', '-');
  return text;
}

std::string fitting(std::string name) { return name.size() <= 63 ? name : name.substr(0, 54) + "-" + hash::digest_hex({name}, 8); }

std::optional<std::string> wrong_choice(restore_order const& order) {
  if (order.config.has_value() + order.backup.has_value() + order.identity.has_value() != 1)
    return "Say what to restore: one of --config, --backup and --identity.";
  if (order.backup && (order.as_of || order.offset))
    return "--as-of and --offset choose among the snapshots of a source; --backup names one already.";
  if (order.snapshot && !order.identity) return "--snapshot is one of a source: add --identity USER@HOST:PATH (kopiur backups shows both).";
  if (order.snapshot && (order.as_of || order.offset)) return "--snapshot names one already; it does not go with --as-of and --offset.";
  if (order.repository && !order.identity)
    return "--repository goes with --identity: a config and a Backup name their repository themselves.";
  if (order.source_path && order.identity) return "--source-path chooses among the sources of a config; --identity names one already.";
  if (order.claim.empty() && !order.dry_run) return "Name the target with --to CLAIM; with --existing it must exist already.";
  if (order.existing && order.capacity) return "--capacity is for a claim that is made; it does not go with --existing.";
  if (order.claim.empty() && (order.existing || order.capacity)) return "--existing and --capacity are about the claim of --to.";
  return {};
}

void choose(json::value& from, restore_order const& order) {
  if (order.as_of) from.set("asOf", to_text(*order.as_of));
  if (order.offset) from.set("offset", order.offset);
}

json::value named_source(restore_order const& order) {
  json::value from = json::object{{"name", order.config ? *order.config : *order.backup}};
  if (order.source_path) from.set("sourcePath", *order.source_path);
  choose(from, order);
  return json::object{{order.config ? "fromConfig" : "backupRef", std::move(from)}};
}

/// The host ends at the first colon: the path may contain more of them.
std::expected<json::value, std::string> identity_source(restore_order const& order) {
  auto& text = *order.identity;
  auto index = text.find('@'), colon = index == text.npos ? text.npos : text.find(':', index);
  bool whole = index != text.npos && index > 0 && colon != text.npos && colon > index + 1 && colon + 1 < text.size();
  if (!whole) return std::unexpected("\"" + text + "\" is not an identity: it has to be USER@HOST:PATH, as kopia records it.");
  json::value from = json::object{
      {"username", text.substr(0, index)}, {"hostname", text.substr(index + 1, colon - index - 1)}, {"sourcePath", text.substr(colon + 1)}};
  if (order.snapshot) from.set("snapshotID", *order.snapshot);
  choose(from, order);
  return json::object{{"identity", std::move(from)}};
}

json::value options_of(restore_order const& order) {
  json::value options = json::value::make_object();
  if (order.path) options.set("path", *order.path);
  if (order.require_ownership) options.set("requireOwnership", true);
  return options;
}

}  // namespace

json::value import_manifest(import_order const& order) {
  auto name = "import-" + order.config + "-" + compact(order.time);
  if (order.source_path) name += "-" + hash::digest_hex({*order.source_path}, 6);
  json::value spec = json::object{{"configRef", json::object{{"name", order.config}}},
                                  {"import", json::object{{"at", to_text(order.time)}, {"from", order.from}}}};
  if (order.source_path) spec.set("sourcePath", *order.source_path);
  return manifest(proto::backup::info.kind, order.ns, fitting(name), std::move(spec));
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

std::expected<json::value, std::string> restore_manifest(restore_order const& order) {
  if (auto wrong = wrong_choice(order)) return std::unexpected(*wrong);
  auto source = order.identity ? identity_source(order) : named_source(order);
  if (!source) return std::unexpected(source.error());
  json::value spec = json::object{{"source", *std::move(source)}};
  if (order.repository) spec.set("repository", json::encode(*order.repository));
  json::value claim = json::object{{"name", order.claim}};
  if (order.capacity) claim.set("capacity", *order.capacity);
  if (!order.claim.empty()) spec.set("target", json::object{{order.existing ? "pvcRef" : "pvc", std::move(claim)}});
  if (auto options = options_of(order); !options.as_object()->empty()) spec.set("options", std::move(options));
  if (order.dry_run) spec.set("dryRun", true);
  return manifest(proto::restore::info.kind, order.ns, order.name, std::move(spec));
}

json::value backup_request_body(std::string const& id, std::string const& config, std::optional<std::string> const& source_path) {
  json::value body = json::object{{"id", id}, {"config", config}};
  if (source_path) body.set("sourcePath", *source_path);
  return body;
}

}  // namespace kopiur::cli
