#include "common/json/members.hpp"

#include <algorithm>

namespace kopiur::json {

namespace {

using named_position = std::pair<std::string_view, std::size_t>;

/// Ordered by name; members with the same name by position.
std::vector<named_position> ordered(object const& members) {
  std::vector<named_position> all;
  all.reserve(members.size());
  for (auto& [name, _] : members) all.emplace_back(name, all.size());
  std::ranges::sort(all);
  return all;
}

void erase_at(object& members, std::vector<std::size_t> positions) {
  if (positions.empty()) return;
  std::ranges::sort(positions);
  auto next = positions.begin();
  auto kept = members.begin() + static_cast<std::ptrdiff_t>(*next);
  for (auto index = *next; index < members.size(); ++index) {
    if (next != positions.end() && *next == index)
      ++next;
    else
      *kept++ = std::move(members[index]);
  }
  members.erase(kept, members.end());
}

/// `Target` is a value or its editor.
template <class Target>
void apply(object const& changes, Target& target) {
  for (auto& [name, content] : changes) {
    if (content.is_null())
      target.erase(name);
    else if (auto* there = target.find(name))
      merge(*there, content);
    else
      merge(target.set(name, value::make_object()), content);
  }
}

}  // namespace

object_editor::object_editor(value from) {
  if (auto* members = from.as_object()) members_ = std::move(*members);
  for (std::size_t index = 0; index < members_.size(); ++index) index_.insert(index_.end(), index);
}

value* object_editor::find(std::string_view name) {
  auto found = index_.find(name);
  return found == index_.end() ? nullptr : &members_[*found].second;
}

value& object_editor::set(std::string_view name, value content) {
  if (auto* there = find(name)) return *there = std::move(content);
  auto& added = members_.emplace_back(std::string(name), std::move(content)).second;
  index_.insert(members_.size() - 1);
  return added;
}

bool object_editor::erase(std::string_view name) {
  auto found = index_.find(name);
  if (found == index_.end()) return false;
  erased_.push_back(*found);
  index_.erase(found);
  return true;
}

value object_editor::done() && {
  index_.clear();
  erase_at(members_, std::move(erased_));
  return std::move(members_);
}

void drop_duplicates(object& members) {
  bool ascend = std::ranges::adjacent_find(members, std::ranges::greater_equal{}, &member::first) == members.end();
  if (ascend) return;  // usual for JSON written by Go
  auto all = ordered(members);
  std::vector<std::size_t> superfluous;
  for (auto next = all.begin(); next != all.end();) {
    auto first = next++;
    for (; next != all.end() && next->first == first->first; ++next) {
      members[first->second].second = std::move(members[next->second].second);
      superfluous.push_back(next->second);
    }
  }
  erase_at(members, std::move(superfluous));
}

bool are_equal(object const& one, object const& other) {
  if (one.size() != other.size()) return false;
  if (std::ranges::equal(one, other, {}, &member::first, &member::first))
    return std::ranges::equal(one, other, {}, &member::second, &member::second);
  if (one.size() <= few_members)
    return std::ranges::all_of(one, [&](member const& mine) {
      auto theirs = std::ranges::find(other, mine.first, &member::first);
      return theirs != other.end() && theirs->second == mine.second;
    });
  auto mine = ordered(one), theirs = ordered(other);
  return std::ranges::equal(mine, theirs, [&](named_position const& a, named_position const& b) {
    return a.first == b.first && one[a.second].second == other[b.second].second;
  });
}

void merge(value& target, value const& patch) {
  auto* changes = patch.as_object();
  if (!changes) {
    target = patch;
    return;
  }
  if (!target.is_object()) target = value::make_object();
  if (changes->size() <= few_members) return apply(*changes, target);
  object_editor all(std::move(target));
  apply(*changes, all);
  target = std::move(all).done();
}

}  // namespace kopiur::json
