#include "services/systems/openbao/lock.hpp"

#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/controller/core/run_facts.hpp"
#include "services/systems/openbao/holder.hpp"

namespace kopiur::openbao {

using namespace proto;
using namespace controller;
using namespace std::chrono_literals;

namespace {

constexpr duration try_every = 10s, renew_every = 60s;
std::string text(lock_operation one) { return std::string(json::to_text(one)); }

using lock_sight = std::optional<bao_operation_lock>;

bool is_held_by(lock_sight const& seen, lock_claim const& mine) {
  return seen && seen->operation == mine.operation && seen->holder == mine.holder;
}

std::int64_t slot_of(instant now, duration length) { return now.time_since_epoch() / length; }

instant whole_seconds(instant time) { return std::chrono::floor<std::chrono::seconds>(time); }

/// The lock as it is written: since when it is held stays.
json::value written(lock_claim const& mine, lock_sight const& before, instant now, std::string message) {
  auto since = is_held_by(before, mine) ? before->acquired_at : std::nullopt;
  return json::encode(bao_operation_lock{.operation = mine.operation,
                                         .holder = mine.holder,
                                         .message = std::move(message),
                                         .acquired_at = since.value_or(whole_seconds(now)),
                                         .renewed_at = whole_seconds(now)});
}

swap_status swap_of(openbao_cluster const& cluster, lock_sight const& expected, json::value set) {
  return {.object = ref_of(cluster),
          .path = {"operationLock"},
          .expect = expected ? json::encode(*expected) : json::value(),
          .by = {"operation", "holder"},
          .set = std::move(set)};
}

/// One look at the lock every 10 s: an answer of that time and of the time before still counts.
class attempts {
 public:
  attempts(cluster_view const& all, run_state const& run) : all_(all), name_(run.run + "-lock-"), slot_(slot_of(all.now, try_every)) {}

  std::string key(lock_sight const& expected, int back = 0) const {
    auto who = expected ? hash::digest_hex({expected->operation, expected->holder}, 8) : "free";
    return name_ + std::to_string(slot_ - back) + "-" + who;
  }
  answer const* said(lock_sight const& expected) const { return all_.answer(swap_status::member, key(expected)); }
  /// Whether the lock was taken by comparing it with this one.
  bool took(lock_sight const& expected) const {
    for (int back : {0, 1})
      if (auto* one = all_.answer(swap_status::member, key(expected, back)); one && one->code == answer_code::Ok) return true;
    return false;
  }
  /// The lock as the last look of this time has found it; at first as the cache has it.
  lock_sight last_seen(lock_sight seen) const {
    constexpr int changes = 3;  // of its holder between two looks, at most
    for (int i = 0; i < changes; ++i) {
      auto* one = said(seen);
      if (!one || one->code != answer_code::Conflict) break;
      auto read =
          one->object && one->object->is_object() ? json::decode<bao_operation_lock>(*one->object) : std::unexpected(json::problem{});
      seen = read ? lock_sight(std::move(*read)) : std::nullopt;
    }
    return seen;
  }

 private:
  cluster_view const& all_;
  std::string name_;
  std::int64_t slot_;
};

// The message of a lock that was taken away says from whom: in the same write, so that whatever fails, it is known.
constexpr std::string_view in_place = ", in place of ", held_by = " by ";
std::string message_in_place_of(lock_claim const& mine, bao_operation_lock const& other) {
  return mine.message + std::string(in_place) + other.operation + std::string(held_by) + other.holder;
}
/// From whom the lock with that message was taken away; nothing: it was free.
std::optional<json::value> replaced_by(lock_claim const& mine, std::string_view message) {
  auto begin = mine.message + std::string(in_place);
  if (!message.starts_with(begin)) return std::nullopt;
  auto who = message.substr(begin.size());
  auto split = who.find(held_by);
  if (split == who.npos) return std::nullopt;
  return json::encode(
      bao_operation_lock{.operation = std::string(who.substr(0, split)), .holder = std::string(who.substr(split + held_by.size()))});
}

/// What our lock says after this one.
std::string message_of(lock_claim const& mine, bao_operation_lock const& before) {
  if (!is_held_by(before, mine)) return message_in_place_of(mine, before);
  return before.message.starts_with(mine.message) ? before.message : mine.message;
}

std::string what(openbao_cluster const& cluster) { return "OpenBaoCluster " + cluster.metadata.namespace_ + "/" + cluster.metadata.name; }

wait waiting_for(openbao_cluster const& cluster, bao_operation_lock const& lock, holder_sight const& holder, instant now) {
  auto message = what(cluster) + " is locked for " + lock.operation + " by " + lock.holder +
                 (lock.message.empty() ? "" : " (" + lock.message + ")") + ". " + holder.why;
  wait out{
      .why = {"OperationLockBlocked", std::move(message)}, .look_again = now + try_every, .asks = holder.asks, .at_most = {}, .limit = {}};
  if (holder.is == holder_state::silent) out.at_most = 15min;
  return out;
}

/// Sets the lock to ours, if it is as expected.
wait take(cluster_view const& all, attempts const& tries, openbao_cluster const& cluster, lock_claim const& mine,
          lock_sight const& expected, std::string message) {
  auto set = written(mine, expected, all.now, std::move(message));
  std::vector<ask> asks{{gateway_command{swap_of(cluster, expected, std::move(set))}, tries.key(expected)}};
  return {.why = {"TakingOperationLock", "The operation lock of " + what(cluster) + " is being taken."},
          .look_again = all.now + try_every,
          .asks = std::move(asks),
          .at_most = {},
          .limit = {}};
}

}  // namespace

lock_claim restore_lock(openbao_restore const& one) {
  return {.operation = text(lock_operation::Restore),
          .holder = std::string(restore_holder) + one.metadata.name,
          .message = "restore " + one.metadata.namespace_ + "/" + one.metadata.name,
          .may_override = one.spec.force && one.spec.override_operation_lock};
}

lock_claim backup_lock(openbao_cluster const& one) {
  return {.operation = text(lock_operation::Backup),
          .holder = "openbaocluster/backup",
          .message = "backup " + one.metadata.namespace_ + "/" + one.metadata.name};
}

securing take_lock(cluster_view const& all, run_state const& run, openbao_cluster const& cluster, lock_claim const& mine) {
  attempts tries(all, run);
  auto seen = tries.last_seen(cluster.status.operation_lock);
  auto cached = cluster.status.operation_lock;
  for (auto& expected : {seen, cached, lock_sight()})
    if (tries.took(expected)) return secured{expected ? replaced_by(mine, message_of(mine, *expected)) : std::nullopt};
  if (auto why = works_without_object(all, run, cluster); !why.empty())
    return wait{.why = {"PreviousJobRuns", std::move(why)}, .look_again = all.now + try_every, .asks = {}, .at_most = {}, .limit = {}};
  if (!seen) return take(all, tries, cluster, mine, seen, mine.message);
  if (is_held_by(seen, mine)) return take(all, tries, cluster, mine, seen, message_of(mine, *seen));
  auto holder = look_at_holder(all, cluster, *seen);
  bool takes_away = holder.is == holder_state::gone || (mine.may_override && seen->operation != text(lock_operation::Restore));
  if (takes_away) return take(all, tries, cluster, mine, seen, message_of(mine, *seen));
  return waiting_for(cluster, *seen, holder, all.now);
}

std::vector<ask> renew_lock(cluster_view const& all, run_state const& run, openbao_cluster const& cluster, lock_claim const& mine) {
  auto& lock = cluster.status.operation_lock;
  if (!is_held_by(lock, mine)) return {};
  auto age = all.now - lock->renewed_at.value_or(instant());
  if (age >= 0s && age < renew_every) return {};
  auto key = run.run + "-renew-" + std::to_string(slot_of(all.now, renew_every));
  if (all.answer(swap_status::member, key)) return {};
  return {{gateway_command{swap_of(cluster, lock, written(mine, lock, all.now, lock->message))}, std::move(key)}};
}

std::optional<ask> release_lock(cluster_view const& all, run_state const& run, openbao_cluster const& cluster, lock_claim const& mine) {
  // Before the commit the lock may be that of an earlier restore of the same name; the lease tells them apart.
  bool had_it = run.attempt > 0 || holds(all.lease(lease_of(all.cluster, cluster.metadata.namespace_, cluster.metadata.name)), run);
  auto key = run.run + "-release";
  auto* said = all.answer(swap_status::member, key);
  bool done = said && (said->code == answer_code::Ok || said->code == answer_code::NotFound || said->code == answer_code::Conflict);
  if (!had_it || done) return std::nullopt;
  bao_operation_lock ours{.operation = mine.operation, .holder = mine.holder};
  return ask{gateway_command{swap_of(cluster, ours, json::value())}, std::move(key)};
}

bool has_lost_lock(openbao_cluster const& cluster, lock_claim const& mine) {
  return cluster.status.operation_lock && !is_held_by(cluster.status.operation_lock, mine);
}

}  // namespace kopiur::openbao
