#include "services/cli/core/rows.hpp"

#include <algorithm>

#include "proto/codec.hpp"
#include "services/cli/core/formatting.hpp"
#include "services/cli/core/health.hpp"
#include "services/systems/kopiur/rules/belonging.hpp"
#include "services/systems/kopiur/rules/suspension.hpp"

namespace kopiur::cli {

using namespace proto;

namespace {

std::string age(object_meta const& meta, instant now) {
  return meta.creation_timestamp ? length_text(now - *meta.creation_timestamp) : "-";
}
cell when(std::optional<instant> const& at, instant now) { return at ? cell(when_text(*at, now)) : cell("-", tone::dim); }

cell ready(std::vector<condition> const& conditions) {
  for (auto& one : conditions)
    if (one.type == condition_type::ready)
      return one.status == condition_status::True ? cell("yes", tone::good) : cell(one.reason, tone::warn);
  return {"-", tone::dim};
}

cell phase_cell(std::optional<backup_phase> phase) {
  if (!phase) return {"Pending", tone::dim};
  auto text = std::string(json::to_text(*phase));
  switch (*phase) {
    case backup_phase::Succeeded:
      return {text, tone::good};
    case backup_phase::Failed:
    case backup_phase::Held:
      return {text, tone::bad};
    case backup_phase::Deleting:
      return {text, tone::warn};
    case backup_phase::Pending:
    case backup_phase::Running:
    case backup_phase::Discovered:
      return {text};
  }
  return {text};
}

cell phase_cell(std::optional<restore_phase> phase) {
  if (!phase) return {"Pending", tone::dim};
  auto text = std::string(json::to_text(*phase));
  if (*phase == restore_phase::Completed) return {text, tone::good};
  return {text, *phase == restore_phase::Failed ? tone::bad : tone::plain};
}

cell phase_cell(std::optional<repository_phase> phase) {
  if (!phase) return {"Pending", tone::dim};
  auto text = std::string(json::to_text(*phase));
  if (*phase == repository_phase::Ready) return {text, tone::good};
  bool wrong = *phase == repository_phase::Failed || *phase == repository_phase::Degraded;
  return {text, wrong ? tone::bad : tone::plain};
}

cell progress(std::optional<int> percent) { return percent ? cell(std::to_string(*percent) + "%") : cell(""); }

/// Builds one table; the first columns are those of every kind.
struct builder {
  selection const& which;
  instant now;
  table out{};

  void columns(std::vector<std::string> rest) {
    if (which.everywhere) out.columns.push_back("NAMESPACE");
    out.columns.push_back("NAME");
    out.columns.insert(out.columns.end(), rest.begin(), rest.end());
    out.columns.push_back("AGE");
  }
  template <class T, class F>
  void fill(controller::table<T> const& from, F&& rest) {
    for (auto& [key, one] : from) {
      if (!selected(which, key.namespace_, key.name)) continue;
      table_row row;
      if (which.everywhere) row.emplace_back(key.namespace_.empty() ? "-" : key.namespace_);
      row.emplace_back(key.name, tone::strong);
      for (auto& each : rest(one)) row.push_back(std::move(each));
      row.emplace_back(age(one.metadata, now), tone::dim);
      out.rows.push_back(std::move(row));
    }
  }
};

/// Why it is not usable: the class of the failure and what to do about it, in the repository's own words.
cell repository_note(bool suspended, repository_status const& status) {
  if (suspended) return {"suspended", tone::warn};
  for (auto& one : status.conditions)
    if (one.type == condition_type::ready && one.status != condition_status::True) return {one.reason + ": " + one.message, tone::bad};
  return {""};
}

/// `Kind`: Repository or ClusterRepository.
template <class Kind>
table_row repository_cells(controller::objects const& all, Kind const& one, repository_spec const& spec, instant now) {
  auto& status = one.status;
  auto holds = held_by(all, status);
  return {phase_cell(status.phase),
          status.backend.value_or(std::visit([](auto& one) { return std::string(one.kind_name); }, spec.backend)),
          holds ? std::to_string(holds->snapshots) : "-",
          holds ? size_text(holds->bytes) : "-",
          when(status.catalog ? status.catalog->last_refresh_at : std::nullopt, now),
          repository_note(rules::is_suspended(one), status)};
}

void add_repositories(controller::objects const& all, builder& to, bool cluster) {
  to.columns({"PHASE", "BACKEND", "SNAPSHOTS", "SIZE", "SEEN", "NOTE"});
  if (cluster) return to.fill(all.cluster_repositories, [&](auto& one) { return repository_cells(all, one, one.spec.common, to.now); });
  to.fill(all.repositories, [&](auto& one) { return repository_cells(all, one, one.spec, to.now); });
}

/// Those that stand for a good snapshot; what retention counts comes a moment later.
std::ptrdiff_t count_saved(controller::objects const& all, backup_config const& config) {
  return std::ranges::count_if(rules::backups_of(all, config), [](backup const* one) {
    return one->status.phase == backup_phase::Succeeded && one->status.snapshot && !one->metadata.deletion_timestamp;
  });
}

void add_configs(controller::objects const& all, builder& to) {
  to.columns({"REPOSITORY", "SOURCES", "LAST BACKUP", "BACKUPS", "READY"});
  to.fill(all.configs, [&](backup_config const& one) {
    return table_row{one.spec.repository.name, std::to_string(one.spec.sources.size()),
                     when(newest_success(all, one.metadata.namespace_, one.metadata.name), to.now), std::to_string(count_saved(all, one)),
                     ready(one.status.conditions)};
  });
}

void add_schedules(controller::objects const& all, builder& to) {
  to.columns({"CONFIG", "CRON", "ZONE", "LAST SLOT", "NEXT", "FAILED IN A ROW", "READY"});
  to.fill(all.schedules, [&](backup_schedule const& one) {
    auto& rules = one.spec.schedule;
    auto failures = one.status.consecutive_failures.value_or(0);
    auto next = rules::is_suspended(one)
                    ? cell("suspended", tone::warn)
                    : when(one.status.next_schedule ? std::optional(one.status.next_schedule->at) : std::nullopt, to.now);
    return table_row{one.spec.config_ref.name,
                     rules.cron,
                     rules.timezone,
                     when(one.status.last_schedule ? std::optional(one.status.last_schedule->scheduled_at) : std::nullopt, to.now),
                     next,
                     cell(std::to_string(failures), failures ? tone::warn : tone::plain),
                     ready(one.status.conditions)};
  });
}

void add_restores(controller::objects const& all, builder& to) {
  to.columns({"PHASE", "%", "SNAPSHOT", "TARGET", "TOOK", "WHY"});
  to.fill(all.restores, [&](restore const& one) {
    auto& status = one.status;
    std::string target = "passive";
    if (one.spec.target) target = std::visit([](auto& claim) { return claim.name; }, *one.spec.target);
    auto took = status.timing && status.timing->duration_seconds ? length_text(std::chrono::seconds(*status.timing->duration_seconds)) : "";
    return table_row{phase_cell(status.phase),
                     progress(status.progress ? status.progress->percent : std::nullopt),
                     status.resolved && status.resolved->snapshot_ID ? status.resolved->snapshot_ID->substr(0, 12) : "-",
                     target,
                     took,
                     status.failure ? cell(status.failure->message, tone::bad) : cell(one.spec.dry_run ? "dry run" : "")};
  });
}

void add_maintenances(controller::objects const& all, builder& to) {
  to.columns({"REPOSITORY", "OWNER", "QUICK", "FULL", "NEXT QUICK", "NEXT FULL", "READY"});
  auto last = [&](std::optional<maintenance_run_status> const& run) { return when(run ? run->last_run_at : std::nullopt, to.now); };
  to.fill(all.maintenances, [&](maintenance const& one) {
    auto& status = one.status;
    auto next = [&](std::optional<maintenance_run_status> const& run) {
      return rules::is_suspended(one) ? cell("suspended", tone::warn) : when(run ? run->next_scheduled_at : std::nullopt, to.now);
    };
    return table_row{one.spec.repository.name, status.ownership ? status.ownership->owner : "-",
                     last(status.quick),       last(status.full),
                     next(status.quick),       next(status.full),
                     ready(status.conditions)};
  });
}

void add_claims(controller::objects const& all, builder& to) {
  to.columns({"PHASE", "VOLUME"});
  to.fill(all.claims, [](persistent_volume_claim const& one) {
    return table_row{one.status.phase.value_or("Pending"), one.spec.volume_name.value_or("-")};
  });
}

void add_volumes(controller::objects const& all, builder& to) {
  to.columns({"PHASE", "CLAIM", "FOLDER"});
  to.fill(all.volumes, [](persistent_volume const& one) {
    auto& claim = one.spec.claim_ref;
    return table_row{one.status.phase.value_or("Available"), claim ? claim->namespace_ + "/" + claim->name : "-",
                     one.spec.host_path ? one.spec.host_path->path : "-"};
  });
}

void add_jobs(controller::objects const& all, builder& to) {
  to.out.columns = {"NAME", "PHASE", "SERVES", "STARTED", "WHY"};
  for (auto& [key, one] : all.jobs) {
    if (!selected(to.which, one.namespace_, key.name)) continue;
    std::string serves = one.serves.empty() ? "-" : one.serves.front().kind + " " + one.serves.front().name;
    to.out.rows.push_back({cell(key.name, tone::strong), std::string(json::to_text(one.status.phase)), serves,
                           when(one.status.started_at, to.now), one.status.message});
  }
}

instant time_of(backup const& one) {
  if (one.status.timing && one.status.timing->end_time) return *one.status.timing->end_time;
  if (one.status.timing && one.status.timing->start_time) return *one.status.timing->start_time;
  return one.metadata.creation_timestamp.value_or(instant{});
}

table_row backup_cells(backup const& one, bool everywhere, instant now) {
  auto& status = one.status;
  table_row row;
  if (everywhere) row.emplace_back(one.metadata.namespace_);
  row.emplace_back(one.metadata.name, tone::strong);
  auto phase = one.metadata.deletion_timestamp ? cell("Deleting", tone::warn) : phase_cell(status.phase);
  if (status.phase == backup_phase::Running && status.progress && status.progress->percent)
    phase.text += " " + std::to_string(*status.progress->percent) + "%";
  row.push_back(std::move(phase));
  row.emplace_back(status.origin ? std::string(json::to_text(*status.origin)) : std::string("-"));
  row.emplace_back(to_text(std::chrono::floor<std::chrono::seconds>(time_of(one))));
  row.emplace_back(when_text(time_of(one), now), tone::dim);
  row.emplace_back(status.stats ? size_text(status.stats->size_bytes) : "-");
  row.emplace_back(status.stats ? size_text(status.stats->bytes_new) : "-");
  row.emplace_back(status.snapshot ? status.snapshot->kopia_snapshot_ID.substr(0, 12) : "-");
  row.emplace_back(one.spec.pin     ? std::string("pinned")
                   : status.failure ? status.failure->message
                                    : std::string(),
                   status.failure ? tone::bad : tone::plain);
  return row;
}

}  // namespace

bool selected(selection const& which, std::string_view ns, std::string_view name) {
  return (which.everywhere || ns.empty() || ns == which.ns) && (which.name.empty() || which.name == name);
}

table backups_table(controller::objects const& all, selection const& which, std::string_view config, instant now) {
  std::vector<backup const*> found;
  for (auto& [key, one] : all.backups) {
    bool of_config = config.empty() || (one.spec.config_ref && one.spec.config_ref->name == config);
    if (of_config && selected(which, key.namespace_, key.name)) found.push_back(&one);
  }
  std::ranges::sort(found, {}, [](auto* one) { return std::pair(time_of(*one), std::string_view(one->metadata.name)); });
  table out;
  if (which.everywhere) out.columns.push_back("NAMESPACE");
  for (auto* name : {"NAME", "PHASE", "ORIGIN", "TIME", "", "SIZE", "NEW", "SNAPSHOT", "NOTE"}) out.columns.emplace_back(name);
  for (auto* one : found) out.rows.push_back(backup_cells(*one, which.everywhere, now));
  return out;
}

table table_of(controller::objects const& all, std::string_view kind, selection const& which, instant now) {
  if (kind == backup::info.kind) return backups_table(all, which, "", now);
  builder to{which, now};
  if (kind == repository::info.kind) add_repositories(all, to, false);
  if (kind == cluster_repository::info.kind) add_repositories(all, to, true);
  if (kind == backup_config::info.kind) add_configs(all, to);
  if (kind == backup_schedule::info.kind) add_schedules(all, to);
  if (kind == restore::info.kind) add_restores(all, to);
  if (kind == maintenance::info.kind) add_maintenances(all, to);
  if (kind == persistent_volume_claim::info.kind) add_claims(all, to);
  if (kind == persistent_volume::info.kind) add_volumes(all, to);
  if (kind == "Job") add_jobs(all, to);
  return std::move(to.out);
}

}  // namespace kopiur::cli
