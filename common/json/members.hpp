#pragma once
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "common/json/value.hpp"

/// Operations on all members of an object at once. Each costs about n log n for n members, whatever their names: names are ordered, not
/// hashed, so that an attacker cannot choose names that collide.
namespace kopiur::json {

/// Objects with up to this many members are searched linearly and need no index. Nearly all of ours are that small.
inline constexpr std::size_t few_members = 32;

/// For many lookups and changes of one object: each costs log n, while value::find(), set() and erase() look through all n members.
class object_editor {
 public:
  /// Anything but an object is replaced by an empty one.
  explicit object_editor(value from);
  object_editor(object_editor const&) = delete;
  object_editor& operator=(object_editor const&) = delete;

  /// Like value::find(), set() and erase(). Results are valid until the next set().
  value* find(std::string_view name);
  value& set(std::string_view name, value content);
  bool erase(std::string_view name);
  /// The object with all changes.
  value done() &&;

 private:
  struct by_name {
    using is_transparent = void;
    object const* members;
    std::string_view name(std::size_t position) const { return (*members)[position].first; }
    bool operator()(std::size_t a, std::size_t b) const { return name(a) < name(b); }
    bool operator()(std::size_t a, std::string_view b) const { return name(a) < b; }
    bool operator()(std::string_view a, std::size_t b) const { return a < name(b); }
  };

  object members_;
  std::set<std::size_t, by_name> index_{by_name{&members_}};  ///< positions
  std::vector<std::size_t> erased_;                           ///< positions; done() removes these members
};

/// Of members with the same name, keeps the last content at the position of the first.
void drop_duplicates(object& members);
/// Whether both have the same members, in any order. Names must be unique in each.
bool are_equal(object const& one, object const& other);

}  // namespace kopiur::json
