#include "services/cli/core/coming.hpp"

#include <algorithm>
#include <tuple>

#include "services/cli/core/formatting.hpp"
#include "services/retention/core/pool.hpp"
#include "services/scheduler/core/timetable.hpp"
#include "services/systems/systems.hpp"

namespace kopiur::cli {

namespace {

std::vector<controller::timed_object> all_slots(controller::objects const& all) {
  std::vector<controller::timed_object> found;
  for (auto* system : systems())
    for (auto& object : system->with_clock(all))
      for (auto& each : system->timed(all, object))
        if (each.kind) found.push_back(std::move(each));
  return found;
}

}  // namespace

std::vector<coming_slot> coming(controller::objects const& all, std::string const& ns, bool everywhere, instant now, std::size_t most) {
  std::vector<coming_slot> found;
  for (auto& timed : all_slots(all)) {
    if (timed.rules.suspend || !(everywhere || timed.object.namespace_ == ns)) continue;
    auto times = scheduler::timetable::compile(timed.rules, timed.key);
    if (!times) continue;
    auto held = timed.kind->hold(all, timed);
    auto problem = timed.kind->unresolved(all, timed).value_or(held ? held->message : "");
    auto slot = times->newest_begun(now).value_or(now - std::chrono::minutes(1));
    for (std::size_t n = 0; n < most; ++n) {
      auto next = times->next(slot);
      if (!next) break;
      slot = *next;
      found.push_back({times->begins(slot), timed.object.kind, timed.object.namespace_, timed.object.name, timed.does, problem});
    }
  }
  std::erase_if(found, [&](auto& one) { return one.time <= now; });
  std::ranges::sort(found, {}, [](auto& one) {
    return std::tuple(one.time, std::string_view(one.ns), std::string_view(one.name), std::string_view(one.what));
  });
  if (found.size() > most) found.resize(most);
  return found;
}

table coming_table(std::vector<coming_slot> const& slots, instant now) {
  table out{.columns = {"WHEN", "", "WHAT", "NAMESPACE", "NAME", "NOTE"}, .rows = {}};
  for (auto& one : slots)
    out.rows.push_back({to_text(std::chrono::floor<std::chrono::seconds>(one.time)), cell(when_text(one.time, now), tone::dim), one.what,
                        one.ns, cell(one.name, tone::strong), cell(one.problem, tone::warn)});
  return out;
}

json::value coming_json(std::vector<coming_slot> const& slots) {
  auto out = json::value::make_array();
  for (auto& one : slots)
    out.push(json::object{{"at", to_text(one.time)},
                          {"kind", one.kind},
                          {"namespace", one.ns},
                          {"name", one.name},
                          {"what", one.what},
                          {"problem", one.problem}});
  return out;
}

std::expected<std::vector<fate>, std::string> fates(controller::objects const& all, proto::backup_config config,
                                                    std::optional<proto::retention_policy> instead, instant now) {
  if (instead) config.spec.retention = std::move(instead);
  auto sets = retention::judge_config(all, config, now);
  if (!sets) return std::unexpected(sets.error());
  std::vector<fate> found;
  for (auto& set : *sets)
    for (auto& row : set.rows)
      found.push_back(
          {set.set.username + "@" + set.set.hostname + ":" + set.set.source_path, row.id, row.ended, row.keep, row.reasons, row.text});
  return found;
}

table fates_table(std::vector<fate> const& fates, instant now) {
  table out{.columns = {"BACKUP", "ENDED", "", "", "WHY"}, .rows = {}};
  for (auto& one : fates)
    out.rows.push_back({cell(one.backup, tone::strong), to_text(std::chrono::floor<std::chrono::seconds>(one.ended)),
                        cell(when_text(one.ended, now), tone::dim), one.stays ? cell("keep", tone::good) : cell("delete", tone::warn),
                        one.text});
  return out;
}

json::value fates_json(std::vector<fate> const& fates) {
  auto out = json::value::make_array();
  for (auto& one : fates) {
    auto reasons = json::value::make_array();
    for (auto& each : one.reasons) reasons.push(each);
    out.push(json::object{{"set", one.set},
                          {"backup", one.backup},
                          {"ended", to_text(one.ended)},
                          {"stays", one.stays},
                          {"reasons", std::move(reasons)},
                          {"text", one.text}});
  }
  return out;
}

std::string fates_summary(std::vector<fate> const& fates, bool by_given_rules) {
  auto going = std::ranges::count(fates, false, &fate::stays);
  return std::to_string(fates.size()) + " Backups: " + std::to_string(std::ssize(fates) - going) + " to keep, " + std::to_string(going) +
         " to delete" + (by_given_rules ? " by these rules." : ".") + " This verb deletes nothing.";
}

}  // namespace kopiur::cli
