#include "common/kubernetes/collection.hpp"

namespace kopiur::kubernetes {

awaitable<void> collection::run() {
  reflector from(api_, time_, options_);
  start_over();
  for (;;) {
    auto what = co_await from.next();
    bool removes = std::holds_alternative<object_gone>(what) || std::holds_alternative<all_told>(what);
    if (removes && listener_.proven && !co_await listener_.proven()) co_return;
    take(std::move(what));
  }
}

void collection::start_over() {
  for (auto& [key, _] : objects_) stale_.insert(key);
}

void collection::tell_gone(object_key const& key) {
  auto found = objects_.find(key);
  if (found == objects_.end()) return;
  auto gone = objects_.extract(found);
  listener_.gone(std::move(gone.key()), std::move(gone.mapped().uid));
}

void collection::seen(json::value object) {
  auto key = key_of(object);
  held now{std::string(uid_of(object)), std::string(version_of(object))};
  stale_.erase(key);
  auto before = objects_.find(key);
  if (before != objects_.end() && before->second == now) return;
  if (before != objects_.end() && before->second.uid != now.uid) tell_gone(key);
  objects_.insert_or_assign(std::move(key), std::move(now));
  listener_.is(std::move(object));
}

void collection::take(change what) {
  if (auto* one = std::get_if<object_is>(&what)) return seen(std::move(one->object));
  if (auto* one = std::get_if<object_gone>(&what)) return tell_gone(key_of(one->object));
  if (std::holds_alternative<started_over>(what)) return start_over();
  for (auto& key : std::exchange(stale_, {})) tell_gone(key);
  if (!std::exchange(told_, true)) listener_.told();
  listener_.complete();
}

}  // namespace kopiur::kubernetes
