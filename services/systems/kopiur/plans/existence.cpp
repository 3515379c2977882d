#include "services/systems/kopiur/plans/existence.hpp"

#include <algorithm>

#include "common/hash/stable_hash.hpp"

namespace kopiur::plans {

using namespace proto;

namespace {

/// A list that has ended is read and reported well within this time. Also the shortest pause before another list for a run that waits for a
/// snapshot.
constexpr duration a_minute{60'000};
constexpr duration look_again{15'000};

/// Id of the n-th list that was ordered for this run.
std::string list_id(rules::any_repository const& repository, run_state const& run, int n) {
  return "discover-" + hash::digest_hex({"discover", repository.meta->uid, for_restore, run.run, std::to_string(n)}, 16);
}

/// Whether the list began after the run's first fact, by their order on the bus, because clocks differ and are stepped. If the list's own
/// run is unknown, the bus has lost those facts, and its sequences are not comparable.
bool is_of_now(cluster_view const& all, snapshot_list const& head, rules::any_repository const& repository, run_state const& run) {
  if (head.list.empty() || head.unique_ID != *repository.status->unique_ID) return false;
  return all.run(head.list) && head.begun_after > run.ordered_as;
}

bool is_over(run_state const* run) { return !run || run->stage == run_stage::FollowThroughComplete; }

/// Another Restore has ordered a list that has not begun yet.
bool is_ordered_by_others(cluster_view const& all, rules::any_repository const& repository) {
  return std::ranges::any_of(all.runs_of(repository.meta->uid, "discover"), [](run_state const* each) {
    return each->stage == run_stage::Due && each->order.parameters.text(list_for) == for_restore;
  });
}

/// Orders another list, unless one is pending.
std::optional<ask> order_list(cluster_view const& all, rules::any_repository const& repository, run_state const& run, tries const& own) {
  if (!is_over(own.last) || is_ordered_by_others(all, repository)) return {};
  json::value parameters = json::object{{std::string(list_for), for_restore}};
  return ask{
      new_run{list_id(repository, run, own.count), {.plan = "discover", .object = repository.ref(), .parameters = std::move(parameters)}},
      ""};
}

instant end_of(run_state const& run) { return run.finished_at.value_or(run.changed_at); }

bool lies_ahead(instant when, instant now) { return now < when && when - now <= std::chrono::minutes(10); }

wait for_list(cluster_view const& all, rules::any_repository const& repository, run_state const& run) {
  wait until{.why = {"ListingSnapshots", "Waiting for a list of all that " + repository.ref().kind + " " + repository.meta->name +
                                             " holds, begun after this Restore: what has not been read is never \"no snapshot\"."},
             .look_again = all.now + look_again};
  auto own = tries_of(all, [&](int n) { return list_id(repository, run, n); });
  if (own.last && is_over(own.last)) {
    if (own.last->failure) until.why.message += " The last list failed: " + own.last->failure->message;
    auto pause = own.last->outcome == run_outcome::Succeeded ? a_minute : controller::backoff(own.count);
    if (lies_ahead(end_of(*own.last) + pause, all.now)) return until;
  }
  if (auto more = order_list(all, repository, run, own)) until.asks.push_back(*std::move(more));
  return until;
}

}  // namespace

plan_part<listed_snapshots const*> snapshots_of(cluster_view const& all, rules::any_repository const& repository, identity const& who,
                                                run_state const& run) {
  auto* head = all.list(repository.meta->uid);
  if (!head || !is_of_now(all, *head, repository, run)) return std::unexpected(for_list(all, repository, run));
  list_query query{repository.meta->uid, who};
  auto* listed = all.listed(query);
  if (!listed || listed->list != head->list)
    return std::unexpected(wait{.why = {"ReadingList", "Reading the list of what the repository holds."},
                                .look_again = all.now + look_again,
                                .asks = {{query, ""}}});
  if (!listed->whole) return std::unexpected(for_list(all, repository, run));
  return listed;
}

std::optional<ask> list_again(cluster_view const& all, rules::any_repository const& repository, run_state const& run, bool due) {
  auto own = tries_of(all, [&](int n) { return list_id(repository, run, n); });
  auto* head = all.list(repository.meta->uid);
  auto last = std::max(own.last ? end_of(*own.last) : instant{}, head ? head->listed_at : instant{});
  auto pause = std::min<duration>(a_minute * (own.count + 1), std::chrono::minutes(10));
  if (!due && lies_ahead(last + pause, all.now)) return {};
  return order_list(all, repository, run, own);
}

}  // namespace kopiur::plans
