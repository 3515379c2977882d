#pragma once
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// JSON as a value; codec.hpp converts described structs. Members keep the order in which they were set, so that output is stable and diffs
/// are small.
namespace kopiur::json {

class value;
using array = std::vector<value>;
using member = std::pair<std::string, value>;  // name, content
using object = std::vector<member>;

/// One JSON value. An absent member and `null` differ: see find().
class value {
 public:
  using storage = std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, array, object>;

  value() = default;
  value(std::nullptr_t) {}
  value(bool b) : data_(b) {}
  value(int n) : data_(std::int64_t{n}) {}
  value(long n) : data_(std::int64_t{n}) {}
  value(long long n) : data_(std::int64_t{n}) {}
  value(unsigned n) : data_(std::int64_t{n}) {}
  /// Saturates beyond 2^63 - 1: none of our counts gets there.
  value(unsigned long n) : data_(n > static_cast<unsigned long>(INT64_MAX) ? INT64_MAX : static_cast<std::int64_t>(n)) {}
  value(double d) : data_(d) {}
  value(char const* text) : data_(std::string(text)) {}
  value(std::string_view text) : data_(std::string(text)) {}
  value(std::string text) : data_(std::move(text)) {}
  value(array items);
  value(object members);

  static value make_object();
  static value make_array();

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(data_); }
  bool is_object() const { return std::holds_alternative<object>(data_); }
  bool is_array() const { return std::holds_alternative<array>(data_); }
  bool is_string() const { return std::holds_alternative<std::string>(data_); }

  bool const* as_bool() const { return std::get_if<bool>(&data_); }
  std::int64_t const* as_int() const { return std::get_if<std::int64_t>(&data_); }
  double const* as_double() const { return std::get_if<double>(&data_); }
  std::string const* as_string() const { return std::get_if<std::string>(&data_); }
  array const* as_array() const { return std::get_if<array>(&data_); }
  array* as_array() { return std::get_if<array>(&data_); }
  object const* as_object() const { return std::get_if<object>(&data_); }
  object* as_object() { return std::get_if<object>(&data_); }

  /// The member of that name, or nullptr when it is absent or this is not an object.
  value const* find(std::string_view name) const;
  value* find(std::string_view name);
  /// The value at `a.b.c`, or nullptr. Only for names without dots; use find() for others.
  value const* at(std::string_view dotted) const;
  /// The string at `a.b.c`; empty when it is absent or not a string.
  std::string_view text(std::string_view dotted) const;
  /// Sets a member; a value that is not an object becomes one. Looks through all members, as find() and erase() do: for many changes of a
  /// large object use object_editor (members.hpp).
  value& set(std::string_view name, value content);
  /// Removes a member; true when it existed.
  bool erase(std::string_view name);
  /// Appends; a value that is not an array becomes one.
  value& push(value item);

  bool operator==(value const&) const;
  storage const& data() const { return data_; }

 private:
  storage data_;
};

/// What could not be read: `where` is a path such as `spec.sources[2].pvc`, empty for the whole document.
struct problem {
  std::string where;
  std::string what;
  bool too_large = false;  ///< it exceeds a bound; it may be JSON
  bool too_deep = false;   ///< the bound is that of the levels
  bool operator==(problem const&) const = default;
  std::string text() const { return where.empty() ? what : where + ": " + what; }
};

/// Bounds of a document. The defaults protect stack, time and memory against any text.
struct bounds {
  std::size_t bytes = 64 << 20;
  std::size_t depth = 128;          ///< levels of non-empty objects and arrays
  std::size_t members = 1'000'000;  ///< members of all objects plus items of all arrays
};

/// Parses one JSON document. Of members with the same name the last counts, at the position of the first. The problem says what is wrong
/// with the text, or which bound it exceeds.
[[nodiscard]] std::expected<value, problem> parse(std::string_view text, bounds const& most = {});
/// Compact, members in order. Numbers in the shortest form that reads back as the same number; NaN and infinities as null. Non-ASCII is
/// unchanged, and invalid UTF-8 becomes U+FFFD: the result is always valid JSON.
std::string dump(value const&);
/// Indented by two spaces a level, for people and for files under version control.
std::string pretty(value const&);
/// JSON merge patch (RFC 7386): null removes, objects merge, everything else replaces.
void merge(value& target, value const& patch);

}  // namespace kopiur::json
