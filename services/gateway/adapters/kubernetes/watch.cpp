#include "services/gateway/adapters/kubernetes/watch.hpp"

#include <algorithm>

#include "services/gateway/core/objects.hpp"

namespace kopiur::gateway::kubernetes {

watch::watch(client& api, clock& time, asio::any_io_executor loop, std::vector<reflector::options> kinds)
    : api_(api), time_(time), loop_(std::move(loop)), hub_(loop_) {
  for (auto& each : kinds) kinds_.push_back({.how = std::move(each), .objects = {}, .stale = {}});
}

awaitable<void> watch::run() {
  app::nursery all(loop_);
  for (auto& each : kinds_) all.spawn(follow_kind(each));
  co_await all.join();
}

awaitable<void> watch::follow_kind(kind& one) {
  reflector from(api_, time_, one.how);
  if (one.told) take(one, started_over{});  // we are run again, and know something already
  for (;;) take(one, co_await from.next());
}

std::unique_ptr<cluster_feed> watch::follow() {
  std::vector<cluster_change> first;
  for (auto& each : kinds_)
    for (auto& [_, one] : each.objects) first.push_back(seen_object{json::parse(one.text).value()});
  if (all_told()) first.push_back(listed{});
  return hub_.follow(std::move(first));
}

bool watch::all_told() const { return std::ranges::all_of(kinds_, &kind::told); }

void watch::tell_gone(kind& one, object_key const& key) {
  auto found = one.objects.find(key);
  if (found == one.objects.end()) return;
  proto::object_ref ref{key.kind, key.namespace_, key.name, found->second.uid};
  one.objects.erase(found);
  hub_.tell(gone_object{std::move(ref)});
}

void watch::take(kind& one, change what) {
  if (auto* seen = std::get_if<object_is>(&what)) {
    auto key = key_of(seen->object);
    held now{std::string(uid_of(seen->object)), std::string(version_of(seen->object)), {}};
    one.stale.erase(key);
    auto before = one.objects.find(key);
    if (before != one.objects.end() && before->second.uid == now.uid && before->second.version == now.version) return;
    if (before != one.objects.end() && before->second.uid != now.uid) tell_gone(one, key);
    auto form = mirror_form(seen->object);
    now.text = json::dump(form);
    one.objects.insert_or_assign(std::move(key), std::move(now));
    return hub_.tell(seen_object{std::move(form)});
  }
  if (auto* gone = std::get_if<object_gone>(&what)) return tell_gone(one, key_of(gone->object));
  if (std::holds_alternative<started_over>(what)) {
    for (auto& [key, _] : one.objects) one.stale.insert(key);
    return;
  }
  for (auto& key : std::exchange(one.stale, {})) tell_gone(one, key);
  bool first = !std::exchange(one.told, true);
  if (first && all_told()) hub_.tell(listed{});
}

}  // namespace kopiur::gateway::kubernetes
