#include "services/cli/core/rows.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <ranges>

#include "proto/codec.hpp"
#include "services/cli/core/formatting.hpp"
#include "services/cli/core/json_path.hpp"

namespace kopiur::cli {

using namespace proto;

namespace {

cell phase_cell(std::string_view phase) {
  static constexpr std::array<std::string_view, 6> good{"Succeeded", "Completed", "Ready", "Scheduled", "Bound", "Active"};
  static constexpr std::array<std::string_view, 4> bad{"Failed", "Held", "Degraded", "Lost"};
  std::string text(phase);
  if (std::ranges::find(good, phase) != good.end()) return {text, tone::good};
  if (std::ranges::find(bad, phase) != bad.end()) return {text, tone::bad};
  return {text, phase == "Suspended" || phase == "Deleting" ? tone::warn : tone::plain};
}

cell cell_of(printer_column const& column, json::value const& object, instant now) {
  auto* found = at_path(object, column.path);
  if (!found || found->is_null()) return {"-", tone::dim};
  auto* text = found->as_string();
  if (!text) return column.bytes && found->as_int() ? size_text(*found->as_int()) : json::dump(*found);
  if (auto time = instant_from(*text); time && column.path == column::age.path)
    return {length_text(now - *time), tone::dim};
  else if (time)
    return when_text(*time, now);
  if (column.path == column::phase.path || column.path == column::state.path) return phase_cell(*text);
  return *text;
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
  auto phase = one.metadata.deletion_timestamp ? cell("Deleting", tone::warn)
                                               : phase_cell(json::to_text(status.phase.value_or(backup_phase::Pending)));
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
  for (auto& [key, one] : all.of<backup>()) {
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

table table_of(kind_info const& kind, std::span<json::value const> found, bool everywhere, bool wide, instant now) {
  table out;
  if (everywhere) out.columns.push_back("NAMESPACE");
  out.columns.push_back("NAME");
  auto shown = [&](printer_column const& one) { return wide || one.priority == 0; };
  for (auto& each : kind.columns | std::views::filter(shown)) {
    out.columns.emplace_back(each.name);
    std::ranges::transform(out.columns.back(), out.columns.back().begin(), [](unsigned char c) { return std::toupper(c); });
  }
  for (auto& object : found) {
    table_row row;
    auto ns = object.text("metadata.namespace");
    if (everywhere) row.emplace_back(ns.empty() ? "-" : std::string(ns));
    row.emplace_back(std::string(object.text("metadata.name")), tone::strong);
    for (auto& each : kind.columns | std::views::filter(shown)) row.push_back(cell_of(each, object, now));
    out.rows.push_back(std::move(row));
  }
  return out;
}

}  // namespace kopiur::cli
