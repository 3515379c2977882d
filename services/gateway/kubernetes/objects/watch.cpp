#include "services/gateway/kubernetes/objects/watch.hpp"

#include <algorithm>
#include <ranges>

#include "services/gateway/core/objects.hpp"

namespace kopiur::gateway::kubernetes {

bool is_newer(std::string_view version, std::string_view than) {
  auto counts = [](std::string_view text) {
    return !text.empty() && text.front() != '0' && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c); });
  };
  return counts(version) && counts(than) && std::pair(version.size(), version) > std::pair(than.size(), than);
}

watch::watch(client& api, clock& time, kinds kinds, std::function<void(cluster_change)> tell, std::function<void()> listed)
    : tell_(std::move(tell)), listed_(std::move(listed)), searched_(std::move(kinds.searched)) {
  for (auto& each : kinds.required) {
    if (auto other = kinds.other_operators.find(each.resource.kind); other != kinds.other_operators.end())
      ask_about(api, time, each, std::move(other->second));
    kinds_.emplace_back(api, time, std::move(each),
                        collection::listener{.is = [this](json::value object) { is(std::move(object)); },
                                             .gone = [this](object_key key, std::string uid) { gone(std::move(key), std::move(uid)); },
                                             .told = [this] { tell_listed(); }});
  }
  for (auto& each : kinds.foreign) follow(api, time, std::move(each));
}

void watch::ask_about(client& api, clock& time, reflector::options const& kind, std::string deployment) {
  auto which = others_.size();
  auto changed = [this, which] {
    tell_(seen(others_[which]));
    tell_listed();
  };
  others_.emplace_back(
      api, time,
      other_operator::options{.kind = kind.resource, .deployment = std::move(deployment), .told = kind.told, .changed = changed});
}

kind_seen watch::seen(other_operator const& other) {
  return {std::string(other.kind()), other.serves().value_or(false) ? proto::kind_presence::OfAnother : proto::kind_presence::Listed};
}

void watch::follow(client& api, clock& time, reflector::options foreign) {
  auto kind = foreign.resource.kind;
  auto changed = [this, kind] {
    tell_(seen(kind, foreign_.at(kind)));
    tell_listed();
  };
  foreign_.try_emplace(
      kind, api, time, std::move(foreign),
      optional_collection::listener{.is = [this](json::value object) { is(std::move(object)); },
                                    .gone = [this](object_key key, std::string uid) { gone(std::move(key), std::move(uid)); },
                                    .changed = changed});
}

kind_seen watch::seen(std::string_view kind, optional_collection const& objects) {
  bool listed = objects.is() == optional_collection::state::listed;
  return {std::string(kind), listed ? proto::kind_presence::Listed : proto::kind_presence::NotInstalled};
}

void watch::gone(object_key key, std::string uid) {
  objects_.erase(key);
  tell_(gone_object{{std::move(key.kind), std::move(key.namespace_), std::move(key.name), std::move(uid)}});
}

void watch::tell_listed() {
  if (told() && !std::exchange(listed_all_, true)) listed_();
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
  auto kind = std::string(form.text("kind"));
  auto text = json::dump(form);
  known = {searched_.contains(kind) ? std::move(text) : texts_[kind].pack(text), std::string(version_of(form)), answered};
  tell_(seen_object{std::move(form)});
}

json::value watch::form_of(object_key const& key, held const& known) const {
  auto packer = texts_.find(key.kind);
  return json::parse(packer == texts_.end() ? known.text : packer->second.unpack(known.text)).value();
}

awaitable<void> watch::run() {
  app::nursery all(co_await asio::this_coro::executor);
  for (auto& each : kinds_) all.spawn(each.run());
  for (auto& [_, each] : foreign_) all.spawn(each.run());
  for (auto& each : others_) all.spawn(each.run());
  co_await all.join();
}

std::vector<object_key> watch::keys() const {
  auto known = std::views::keys(objects_);
  return {known.begin(), known.end()};
}

std::vector<cluster_change> watch::seen_kinds() const {
  std::vector<cluster_change> known;
  for (auto& [kind, objects] : foreign_)
    if (objects.is() != optional_collection::state::unread) known.push_back(seen(kind, objects));
  for (auto& each : others_)
    if (each.serves()) known.push_back(seen(each));
  return known;
}

std::optional<json::value> watch::object(object_key const& key) const {
  auto found = objects_.find(key);
  return found == objects_.end() ? std::nullopt : std::optional(form_of(key, found->second));
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

bool watch::told() const {
  auto is_read = [](auto& one) { return one.second.is() != optional_collection::state::unread; };
  return std::ranges::all_of(kinds_, &collection::told) && std::ranges::all_of(foreign_, is_read) &&
         std::ranges::all_of(others_, [](auto& one) { return one.serves().has_value(); });
}

}  // namespace kopiur::gateway::kubernetes
