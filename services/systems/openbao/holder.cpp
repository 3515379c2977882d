#include "services/systems/openbao/holder.hpp"

#include <algorithm>

namespace kopiur::openbao {

using namespace proto;
using namespace controller;
using namespace std::chrono_literals;

namespace {

/// OpenBao's operator renews a lock with each of its looks, every 15 s.
constexpr duration silent_after = 5min;

/// The command that releases a lock by hand.
std::string by_hand(openbao_cluster const& cluster) {
  return "`kubectl --namespace " + cluster.metadata.namespace_ + " patch openbaocluster " + cluster.metadata.name +
         " --subresource=status --type=merge --patch '{\"status\":{\"operationLock\":null}}'`";
}

job const* live_job(cluster_view const& all, openbao_cluster const& cluster, auto&& is_wanted) {
  for (auto& [_, one] : in_namespace(all.objects.of<job>(), cluster.metadata.namespace_)) {
    bool for_it = std::ranges::any_of(one.serves, [&](object_ref const& each) { return each.uid == cluster.metadata.uid; });
    if (for_it && !one.status.pods_gone && is_wanted(one)) return &one;
  }
  return nullptr;
}

/// Whether an object that is not in the cache does not exist, by a read of this minute.
bool is_deleted(cluster_view const& all, std::string const& ns, std::string const& name, std::vector<ask>& asks) {
  auto key = "openbao-holder-" + ns + "-" + name + "-" + std::to_string(all.now.time_since_epoch() / duration(1min));
  auto* said = all.answer(read_object::member, key);
  if (!said) asks.push_back({gateway_command{read_object{ref_to<openbao_restore>(ns, name)}}, key});
  return said && said->code == answer_code::NotFound;
}

holder_sight look_at_restore(cluster_view const& all, openbao_cluster const& cluster, std::string const& name) {
  auto& ns = cluster.metadata.namespace_;
  holder_sight out;
  auto* there = find(all.objects.of<openbao_restore>(), ns, name);
  auto what = "OpenBaoRestore " + ns + "/" + name;
  if (there && !is_over(*there)) {
    out.why = what + " is not over: the lock is free when it is. To end it earlier, delete it.";
    return out;
  }
  auto* running = live_job(all, cluster, [&](job const& one) {
    return std::ranges::any_of(one.serves,
                               [&](object_ref const& each) { return each.kind == openbao_restore::info.kind && each.name == name; });
  });
  if (running) {
    out.why = what + " is " + (there ? "over" : "deleted") + ", but its Job " + running->run + " still has a pod.";
    return out;
  }
  bool gone = there || is_deleted(all, ns, name, out.asks);
  out.is = gone ? holder_state::gone : holder_state::works;
  out.why = gone ? what + " is over or deleted, and no pod of it runs." : "Whether " + what + " exists is being looked up.";
  return out;
}

}  // namespace

holder_sight look_at_holder(cluster_view const& all, openbao_cluster const& cluster, bao_operation_lock const& lock) {
  if (lock.holder.starts_with(restore_holder)) return look_at_restore(all, cluster, lock.holder.substr(restore_holder.size()));
  auto last = lock.renewed_at ? lock.renewed_at : lock.acquired_at;
  bool silent = !last || all.now - *last > silent_after;
  if (!silent) return {.is = holder_state::works, .why = "It renewed the lock at " + to_text(*last) + ": the lock is free when it ends."};
  return {.is = holder_state::silent,
          .why = "It has not renewed the lock since " + (last ? to_text(*last) : std::string("it took it")) +
                 ". If it surely works no more, release the lock: " + by_hand(cluster) +
                 ", or restore with force and overrideOperationLock."};
}

std::string works_without_object(cluster_view const& all, run_state const& run, openbao_cluster const& cluster) {
  auto* other = live_job(all, cluster, [&](job const& one) { return one.run != run.run; });
  return other ? "The Job " + other->run + " in " + other->namespace_ + " works on the cluster, and still has a pod." : "";
}

}  // namespace kopiur::openbao
