#include <algorithm>

#include "proto/kinds/kinds.hpp"
#include "proto/schema/build.hpp"

namespace kopiur::proto::schema {
namespace {

constexpr std::string_view ready_message = R"(.status.conditions[?(@.type=="Ready")].message)";
constexpr printer_column phase{"Phase", "string", ".status.phase"}, age{"Age", "date", ".metadata.creationTimestamp"},
    message{"Message", "string", ready_message, 1};

std::vector<printer_column> columns_of(std::type_identity<repository>) {
  return {phase,
          {"Backend", "string", ".status.backend"},
          {"Snapshots", "integer", ".status.storageStats.snapshotCount"},
          age,
          {"Size", "integer", ".status.storageStats.totalSize", 1},
          message};
}
std::vector<printer_column> columns_of(std::type_identity<cluster_repository>) {
  return {phase,
          {"Backend", "string", ".status.backend"},
          {"Snapshots", "integer", ".status.storageStats.snapshotCount"},
          {"Namespaces", "integer", ".status.allowedNamespaceCount"},
          age,
          {"Size", "integer", ".status.storageStats.totalSize", 1},
          message};
}
std::vector<printer_column> columns_of(std::type_identity<backup_config>) {
  return {{"Repository", "string", ".spec.repository.name"},
          {"Last Success", "date", ".status.lastSuccessfulBackup.at"},
          {"Backups", "integer", ".status.retention.activeBackupCount"},
          age,
          {"Suspended", "boolean", ".spec.suspend", 1},
          message};
}
std::vector<printer_column> columns_of(std::type_identity<backup>) {
  return {phase,
          {"Origin", "string", ".status.origin"},
          {"Config", "string", ".spec.configRef.name"},
          {"Repository", "string", ".status.resolved.repository.name"},
          age,
          {"Snapshot", "string", ".status.snapshot.kopiaSnapshotID", 1},
          {"Size", "integer", ".status.stats.sizeBytes", 1},
          {"Seconds", "integer", ".status.timing.durationSeconds", 1},
          message};
}
std::vector<printer_column> columns_of(std::type_identity<backup_schedule>) {
  return {{"Config", "string", ".spec.configRef.name"},
          {"Schedule", "string", ".spec.schedule.cron"},
          {"Suspended", "boolean", ".spec.schedule.suspend"},
          {"Last Success", "date", ".status.lastSuccessfulSchedule.at"},
          {"Next", "string", ".status.nextSchedule.at"},
          age,
          {"Time Zone", "string", ".spec.schedule.timezone", 1},
          {"Failures", "integer", ".status.consecutiveFailures", 1},
          message};
}
std::vector<printer_column> columns_of(std::type_identity<restore>) {
  return {phase, {"Target", "string", ".status.target.pvcRef"},         {"Snapshot", "string", ".status.resolved.snapshotID"},
          age,   {"Percent", "integer", ".status.progress.percent", 1}, message};
}
std::vector<printer_column> columns_of(std::type_identity<maintenance>) {
  return {{"Repository", "string", ".spec.repository.name"},
          {"Owner", "string", ".status.ownership.owner"},
          {"Last Quick", "date", ".status.quick.lastRunAt"},
          {"Last Full", "date", ".status.full.lastRunAt"},
          age,
          {"Next Quick", "string", ".status.quick.nextScheduledAt", 1},
          {"Next Full", "string", ".status.full.nextScheduledAt", 1},
          message};
}

node text(std::string_view description) { return {.type = node::shape::Text, .description = std::string(description)}; }

/// The envelope that all kinds share, around spec and status.
template <class Kind>
kind_schema of() {
  Kind const defaults{};
  auto notes = notes_of(std::type_identity<Kind>{});
  auto spec = build(defaults.spec, purpose::Spec);
  auto status = build(defaults.status, purpose::Status);
  node root{.type = node::shape::Object, .description = std::string(notes.text)};
  root.rules = std::move(notes.rules);
  root.properties.emplace_back("apiVersion", text("Version of this form: kopiur.home-operations.com/v1alpha1."));
  root.properties.emplace_back("kind", text(std::string("Always ") + std::string(Kind::info.kind) + "."));
  root.properties.emplace_back("metadata", node{.type = node::shape::Map});
  bool may_lack_spec = std::same_as<Kind, backup>;
  if (!may_lack_spec) root.required.emplace_back("spec");
  root.properties.emplace_back("spec", std::move(spec));
  root.properties.emplace_back("status", std::move(status));
  return {Kind::info, std::move(root), columns_of(std::type_identity<Kind>{})};
}

template <class... Kind>
std::vector<kind_schema> all(boost::mp11::mp_list<Kind...>) {
  return {of<Kind>()...};
}

}  // namespace

std::vector<kind_schema> const& kinds() {
  static std::vector<kind_schema> const made = all(kopiur_kinds{});
  return made;
}

kind_schema const* find_kind(std::string_view kind) {
  auto found = std::ranges::find_if(kinds(), [&](kind_schema const& each) { return each.info.kind == kind; });
  return found == kinds().end() ? nullptr : &*found;
}

}  // namespace kopiur::proto::schema
