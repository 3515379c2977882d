#include "services/mover-orchestration/core/plans/existence.hpp"

#include <algorithm>

#include "common/hash/stable_hash.hpp"

namespace kopiur::orchestration {

using namespace proto;

namespace {

/// A list that has ended is read, and told, well within this; and who waits for a snapshot looks again after it.
constexpr duration a_minute{60'000};
constexpr duration look_again{15'000};

/// The lists that were ordered for this run.
struct own_lists {
  std::vector<std::string> ids;
  run_state const* last = nullptr;
  std::string next;  ///< the id of one more
};

own_lists lists_for(world const& all, mirror::repository_sight const& repository, run_state const& run) {
  own_lists own;
  for (;;) {
    own.next = "discover-" + hash::digest_hex({"discover", repository.meta->uid, "restore", run.run, std::to_string(own.ids.size())}, 16);
    auto* there = all.run(own.next);
    if (!there) return own;
    own.ids.push_back(own.next), own.last = there;
  }
}

/// It began after the run's first fact: by their order on the bus, for clocks differ and are stepped. Where the list's own run is not
/// known, the bus has lost those facts, and what is left counts from other sequences.
bool is_of_now(world const& all, snapshot_list const& head, mirror::repository_sight const& repository, run_state const& run) {
  if (head.list.empty() || head.unique_ID != *repository.status->unique_ID) return false;
  return all.run(head.list) && head.begun_after > run.ordered_as;
}

/// Another Restore has ordered one that is yet to begin.
bool is_ordered_by_others(world const& all, mirror::repository_sight const& repository) {
  return std::ranges::any_of(all.runs_of(repository.meta->uid, "discover"), [](run_state const* each) {
    return each->stage == run_stage::Due && each->order.parameters.text("for") == "restore";
  });
}

ask order_list(mirror::repository_sight const& repository, own_lists const& own) {
  run_order what{.plan = "discover", .object = repository.ref(), .parameters = json::object{{"for", "restore"}}};
  return {new_run{own.next, std::move(what)}, ""};
}

/// When one more may be ordered after this one, which is over.
instant next_after(run_state const& last, std::size_t tries) {
  auto ended = last.finished_at.value_or(last.changed_at);
  return ended + (last.outcome == run_outcome::Succeeded ? a_minute : backoff(static_cast<int>(tries)));
}

bool lies_ahead(instant when, instant now) { return now < when && when - now <= std::chrono::minutes(10); }

wait for_list(world const& all, mirror::repository_sight const& repository, own_lists const& own) {
  wait until{.why = {"ListingSnapshots", "Waiting for a list of all that " + repository.ref().kind + " " + repository.meta->name +
                                             " holds, begun after this Restore: what has not been read is never \"no snapshot\"."},
             .look_again = all.now + look_again};
  bool over = own.last && own.last->stage == run_stage::FollowThroughComplete;
  if (over && own.last->failure) until.why.message += " The last list failed: " + own.last->failure->message;
  if (over && lies_ahead(next_after(*own.last, own.ids.size()), all.now)) return until;
  bool goes_on = own.last && !over;
  if (!goes_on && !is_ordered_by_others(all, repository)) until.asks.push_back(order_list(repository, own));
  return until;
}

}  // namespace

existing snapshots_of(world const& all, mirror::repository_sight const& repository, identity const& who, run_state const& run) {
  auto own = lists_for(all, repository, run);
  auto* head = all.list(repository.meta->uid);
  if (!head || !is_of_now(all, *head, repository, run)) return for_list(all, repository, own);
  list_query query{repository.meta->uid, who};
  auto* listed = all.listed(query);
  if (!listed || listed->list != head->list)
    return wait{.why = {"ReadingList", "Reading the list of what the repository holds."},
                .look_again = all.now + look_again,
                .asks = {{query, ""}}};
  if (!listed->whole) return for_list(all, repository, own);
  return listed;
}

std::optional<ask> list_again(world const& all, mirror::repository_sight const& repository, run_state const& run, bool due) {
  auto own = lists_for(all, repository, run);
  if (own.last && own.last->stage != run_stage::FollowThroughComplete) return {};
  auto* head = all.list(repository.meta->uid);
  auto last = std::max(own.last ? own.last->finished_at.value_or(own.last->changed_at) : instant{}, head ? head->listed_at : instant{});
  auto pause = std::min<duration>(a_minute * static_cast<int>(own.ids.size() + 1), std::chrono::minutes(10));
  if (!due && lies_ahead(last + pause, all.now)) return {};
  if (is_ordered_by_others(all, repository)) return {};
  return order_list(repository, own);
}

}  // namespace kopiur::orchestration
