#include "services/systems/kopiur/plans/offer.hpp"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>

#include "proto/shrink.hpp"
#include "services/systems/kopiur/rules/standing.hpp"

namespace kopiur::plans {

using namespace proto;

namespace {

/// What Backup objects say about snapshots.
struct knowledge {
  std::set<std::string_view> leaving, held, good;
};
knowledge known_of(cluster_view const& all, rules::any_repository const& repository) {
  knowledge found;
  for (auto& [_, one] : all.objects.of<backup>()) {
    if (!one.status.snapshot || !rules::lies_in(one, *repository.status->unique_ID)) continue;
    auto& id = one.status.snapshot->kopia_snapshot_ID;
    if (one.metadata.deletion_timestamp) found.leaving.insert(id);
    if (rules::is_held(one))
      found.held.insert(id);
    else if (one.status.phase == backup_phase::Succeeded)
      found.good.insert(id);
  }
  return found;
}

/// The run knows it before the Backup's status does.
bool is_held_by(cluster_view const& all, run_state const& run) {
  return rules::is_held(run, controller::find(all.objects.of<backup>(), run.order.object.namespace_, run.order.object.name));
}

/// Snapshots that shrank, and of which no Backup is left to say whether that was accepted.
std::set<std::string_view> in_doubt(knowledge const& known, listed_snapshots const& listed) {
  auto good = known.good;
  std::map<std::string_view, listed_snapshot const*> by_id;
  std::vector<listed_snapshot const*> by_time;
  for (auto& each : listed.snapshots) {
    by_id[each.id] = &each;
    if (each.baseline) good.insert(each.baseline->snapshot);
    if (!each.partial && !known.held.contains(each.id)) by_time.push_back(&each);
  }
  std::ranges::sort(by_time, {}, &listed_snapshot::ended);
  std::set<std::string_view> found;
  listed_snapshot const* last_good = nullptr;
  for (auto* one : by_time) {
    auto named = one->baseline ? by_id.find(one->baseline->snapshot) : by_id.end();
    auto* before = named != by_id.end() ? named->second : last_good;
    bool doubtful = one->baseline && before && !good.contains(one->id) && is_shrunk(*one, *before, one->baseline->percent);
    if (doubtful)
      found.insert(one->id);
    else
      last_good = one;
  }
  return found;
}

/// Why it must not be chosen as the newest; empty: it may be.
std::string why_not(cluster_view const& all, knowledge const& known, std::set<std::string_view> const& doubtful,
                    listed_snapshot const& one) {
  auto* taken_by = one.run ? all.run(*one.run) : nullptr;
  if (known.leaving.contains(one.id)) return one.id + " is being deleted";
  if (taken_by && !is_terminal(taken_by->stage)) return "the run of " + one.id + " has not ended";
  if (known.held.contains(one.id) || (taken_by && is_held_by(all, *taken_by)))
    return one.id + " is held, for it holds much less than the one before it";
  if (doubtful.contains(one.id))
    return one.id + " holds much less than the one before it, and no Backup is left that says whether this was accepted";
  return one.partial ? one.id + " is partial, files could not be read when it was taken" : "";
}

}  // namespace

offer on_offer(cluster_view const& all, rules::any_repository const& repository, listed_snapshots const& listed) {
  auto known = known_of(all, repository);
  auto doubtful = in_doubt(known, listed);
  offer found;
  for (auto& each : listed.snapshots)
    if (auto why = why_not(all, known, doubtful, each); why.empty())
      found.snapshots.push_back(&each);
    else
      found.held_back.push_back({&each, std::move(why)});
  std::ranges::sort(found.snapshots, std::ranges::greater{}, [](auto* one) { return one->ended; });
  return found;
}

std::vector<std::string> few_words(std::vector<held_back> const& held) {
  constexpr std::size_t few = 3;
  std::vector<std::string> out;
  for (auto& each : held | std::views::take(few)) out.push_back(each.why);
  return out;
}

}  // namespace kopiur::plans
