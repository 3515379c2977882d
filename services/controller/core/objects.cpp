#include "services/controller/core/objects.hpp"

#include <algorithm>

#include "proto/codec.hpp"
#include "services/controller/core/reference.hpp"

namespace kopiur::controller {

using namespace proto;

namespace {

template <class T>
std::expected<void, json::problem> put(table<T>& in, name_key const& key, std::string const* body, shared_decoder* by) {
  if (!body) return in.erase(key), std::expected<void, json::problem>{};
  auto read = controller::read<T>(*body, by);
  if (!read) {
    in.erase(key);
    return std::unexpected(read.error());
  }
  in.insert_or_assign(key, std::move(*read));
  return {};
}

/// The names of owner and source under which the object is found.
template <has_owner T>
std::vector<std::string> found_by(T const& one) {
  std::vector<std::string> names;
  if (auto owner = owner_name(one)) names.push_back(*std::move(owner));
  if constexpr (has_source<T>)
    if (auto source = source_name(one)) names.push_back(*std::move(source));
  return names;
}

template <has_owner T>
void forget_member(objects& all, name_key const& key, T const& one) {
  auto& by_owner = all.members[T::info.kind];
  for (auto& name : found_by(one)) {
    auto known = by_owner.find({key.namespace_, name});
    if (known == by_owner.end()) continue;
    known->second.erase(key.name);
    if (known->second.empty()) by_owner.erase(known);
  }
}

template <has_owner T>
void note_member(objects& all, name_key const& key, T const& one) {
  for (auto& name : found_by(one)) all.members[T::info.kind][{key.namespace_, name}].insert(key.name);
}

template <has_owner T>
std::expected<void, json::problem> put_member(objects& all, name_key const& key, std::string const* body, shared_decoder* by) {
  auto& table = all.of<T>();
  if (!all.members.contains(T::info.kind)) {
    all.members[T::info.kind];
    for (auto const& [name, one] : table) note_member(all, name, one);
  }
  if (auto before = table.find(key); before != table.end()) forget_member(all, key, before->second);
  auto done = put(table, key, body, by);
  if (auto now = table.find(key); now != table.end()) note_member(all, key, now->second);
  return done;
}

std::expected<void, json::problem> put_secret(table<secret_metadata>& in, name_key const& key, std::string const* body) {
  if (!body) return in.erase(key), std::expected<void, json::problem>{};
  auto read = json::parse(*body);
  if (!read) return std::unexpected(read.error());
  in.insert_or_assign(key, secret_metadata{std::string(read->text("metadata.uid")), std::string(read->text("metadata.resourceVersion"))});
  return {};
}

template <class T>
std::expected<void, json::problem> put_one(objects& all, name_key const& key, std::string const* body, shared_decoder* by) {
  if constexpr (std::same_as<T, secret_metadata>)
    return put_secret(all.of<T>(), key, body);
  else if constexpr (has_owner<T>)
    return put_member<T>(all, key, body, by);
  else
    return put(all.of<T>(), key, body, by);
}

std::expected<void, json::problem> put_any(objects& all, std::string_view kind, name_key const& key, std::string const* body,
                                           shared_decoder* by) {
  auto put_it = [&]<class T>(std::type_identity<T>) { return put_one<T>(all, key, body, by); };
  return visit_kind(cached_kinds{}, kind, put_it, std::expected<void, json::problem>{});  // no service reads Events or ConfigMaps
}

std::expected<void, json::problem> put_presence(objects& all, object_ref const& kind, std::string const* body) {
  all.presences.erase(kind.kind);
  if (!body || !has_state(kind.kind)) return {};
  auto read = json::read<kind_state>(*body);
  if (!read) return std::unexpected(json::problem{"the state of the kind " + kind.kind, read.error().text()});
  all.presences.emplace(kind.kind, read->presence);
  return {};
}

bool stub_suffices(std::string_view kind) {
  return visit_kind(cached_kinds{}, kind, []<class T>(std::type_identity<T>) { return has_unread<T>; }, false);
}

bool is_stub(std::string const* body) {
  static std::string const beginning = "{\"" + std::string(too_large) + "\":";
  return body && body->starts_with(beginning);
}

}  // namespace

std::expected<object_ref, json::problem> apply(objects& all, std::string_view subject, std::string const* body, shared_decoder* by) {
  auto ref = reference(subject);
  auto& kind = ref.kind;
  name_key key{ref.namespace_, ref.name};
  if (is_marker(ref)) {
    all.listed = key.name == "listed" && body;
    return ref;
  }
  if (is_kind_state(ref)) {
    if (auto done = put_presence(all, ref, body); !done) return std::unexpected(done.error());
    return ref;
  }
  if (is_stub(body) && !stub_suffices(kind)) {
    (void)put_any(all, kind, key, nullptr, by);
    all.unreadable.insert(key_of(ref));
    return std::unexpected(json::problem{kind + " " + key.namespace_ + "/" + key.name, "it is too large for the bus"});
  }
  if (auto done = put_any(all, kind, key, body, by); !done) {
    all.unreadable.insert(key_of(ref));
    return std::unexpected(json::problem{kind + " " + key.namespace_ + "/" + key.name, done.error().text()});
  }
  all.unreadable.erase(key_of(ref));
  if (auto* meta = find_meta(all, kind, key)) ref.uid = meta->uid;
  return ref;
}

void lighten(objects& all, object_ref const& object) {
  auto drop = [&]<class T>(std::type_identity<T>) {
    if constexpr (has_unread<T>) {
      auto& table = all.of<T>();
      if (auto found = table.find({object.namespace_, object.name}); found != table.end()) drop_unread(found->second);
    }
    return true;
  };
  visit_kind(cached_kinds{}, object.kind, drop, false);
}

object_meta const* find_meta(objects const& all, std::string_view kind, name_key const& key) {
  auto look = [&]<class T>(std::type_identity<T>) -> object_meta const* {
    if constexpr (requires(T const& one) { one.metadata; }) {
      auto found = all.of<T>().find(key);
      return found == all.of<T>().end() ? nullptr : &found->second.metadata;
    }
    return nullptr;
  };
  return visit_kind(cached_kinds{}, kind, look, static_cast<object_meta const*>(nullptr));
}

bool matches(label_selector const& selector, std::map<std::string, std::string> const& labels) {
  auto equal = [&](auto& want) {
    auto found = labels.find(want.first);
    return found != labels.end() && found->second == want.second;
  };
  auto holds = [&](selector_requirement const& rule) {
    auto found = labels.find(rule.key);
    bool there = found != labels.end();
    bool among = there && std::ranges::find(rule.values, found->second) != rule.values.end();
    switch (rule.operator_) {
      case selector_operator::In:
        return among;
      case selector_operator::NotIn:
        return !among;
      case selector_operator::Exists:
        return there;
      case selector_operator::DoesNotExist:
        return !there;
    }
    __builtin_unreachable();
  };
  return std::ranges::all_of(selector.match_labels, equal) && std::ranges::all_of(selector.match_expressions, holds);
}

std::string_view lookup(std::map<std::string, std::string> const& in, std::string_view key) {
  for (auto& [name, text] : in)  // few entries: faster than building a key from the view
    if (name == key) return text;
  return {};
}

}  // namespace kopiur::controller
