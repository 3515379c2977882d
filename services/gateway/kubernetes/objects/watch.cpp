#include "services/gateway/kubernetes/objects/watch.hpp"

#include <algorithm>

#include "services/gateway/core/objects.hpp"

namespace kopiur::gateway::kubernetes {

bool is_newer(std::string_view version, std::string_view than) {
  auto counts = [](std::string_view text) {
    return !text.empty() && text.front() != '0' && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c); });
  };
  return counts(version) && counts(than) && std::pair(version.size(), version) > std::pair(than.size(), than);
}

watch::watch(client& api, clock& time, std::vector<reflector::options> kinds, std::function<void(cluster_change)> tell,
             std::function<void()> listed)
    : tell_(std::move(tell)), listed_(std::move(listed)) {
  auto is = [this](json::value object) { this->is(std::move(object)); };
  auto gone = [this](object_key key, std::string uid) {
    objects_.erase(key);
    tell_(gone_object{{std::move(key.kind), std::move(key.namespace_), std::move(key.name), std::move(uid)}});
  };
  auto told = [this] {
    if (this->told()) listed_();
  };
  for (auto& each : kinds) kinds_.emplace_back(api, time, std::move(each), collection::listener{is, gone, told});
}

void watch::is(json::value object) {
  auto form = mirror_form(object);
  auto& known = objects_[key_of(form)];
  if (known.answered && !is_newer(version_of(form), known.version)) {  // already reported, or outdated
    known.answered = version_of(form) != known.version;
    return;
  }
  learn(known, std::move(form), false);
}

void watch::wrote(json::value const& object) {
  auto known = objects_.find(key_of(object));  // a recreated object is newer than any answer about the former one
  bool later = known != objects_.end() && is_newer(version_of(object), known->second.version);
  if (later) learn(known->second, mirror_form(object), true);
}

void watch::learn(held& known, json::value form, bool answered) {
  known = {json::dump(form), std::string(version_of(form)), answered};
  tell_(seen_object{std::move(form)});
}

awaitable<void> watch::run() {
  app::nursery all(co_await asio::this_coro::executor);
  for (auto& each : kinds_) all.spawn(each.run());
  co_await all.join();
}

std::vector<cluster_change> watch::all() const {
  std::vector<cluster_change> known;
  for (auto& [_, one] : objects_) known.push_back(seen_object{json::parse(one.text).value()});
  return known;
}

object_map watch::objects() const {
  object_map known;
  for (auto& [key, one] : objects_) known.emplace(key, json::parse(one.text).value());
  return known;
}

std::optional<json::value> watch::object(object_key const& key) const {
  auto found = objects_.find(key);
  return found == objects_.end() ? std::nullopt : std::optional(json::parse(found->second.text).value());
}

std::string_view watch::version(object_key const& key) const {
  auto found = objects_.find(key);
  return found == objects_.end() ? std::string_view() : found->second.version;
}

std::vector<json::value> watch::matching(std::string_view kind, std::function<bool(std::string_view)> const& may_matter) const {
  std::vector<json::value> found;
  for (auto entry = objects_.lower_bound({std::string(kind), "", ""}); entry != objects_.end() && entry->first.kind == kind; ++entry)
    if (may_matter(entry->second.text)) found.push_back(json::parse(entry->second.text).value());
  return found;
}

bool watch::told() const { return std::ranges::all_of(kinds_, &collection::told); }

}  // namespace kopiur::gateway::kubernetes
