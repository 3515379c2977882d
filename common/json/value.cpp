#include "common/json/value.hpp"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <optional>
#include <utility>

#include "common/json/members.hpp"
#include "common/json/strict.hpp"
#include "common/json/utf8.hpp"
#include "common/json/without.hpp"

namespace kopiur::json {

value::value(array items) : data_(std::move(items)) {}
value::value(object members) : data_(std::move(members)) {}
value value::make_object() { return value(object{}); }
value value::make_array() { return value(array{}); }

namespace {

/// JSON has one number type: 1.0 is written as 1, which is read as a whole number.
bool is_same_number(double number, std::int64_t whole) {
  constexpr double beyond = 0x1p63;
  return number >= -beyond && number < beyond && number == std::floor(number) && static_cast<std::int64_t>(number) == whole;
}

}  // namespace

bool value::operator==(value const& other) const {
  if (as_double() && other.as_int()) return is_same_number(*as_double(), *other.as_int());
  if (as_int() && other.as_double()) return is_same_number(*other.as_double(), *as_int());
  auto* mine = as_object();
  auto* theirs = other.as_object();
  return mine && theirs ? are_equal(*mine, *theirs) : data_ == other.data_;
}

value const* value::find(std::string_view name) const {
  auto* members = as_object();
  if (!members) return nullptr;
  auto found = std::ranges::find(*members, name, &member::first);
  return found == members->end() ? nullptr : &found->second;
}
value* value::find(std::string_view name) { return const_cast<value*>(std::as_const(*this).find(name)); }

value const* value::at(std::string_view dotted) const {
  auto* here = this;
  while (here && !dotted.empty()) {
    auto dot = dotted.find('.');
    here = here->find(dotted.substr(0, dot));
    dotted = dot == dotted.npos ? std::string_view{} : dotted.substr(dot + 1);
  }
  return here;
}

std::string_view value::text(std::string_view dotted) const {
  auto* found = at(dotted);
  auto* string = found ? found->as_string() : nullptr;
  return string ? std::string_view(*string) : std::string_view{};
}

value& value::set(std::string_view name, value content) {
  if (!is_object()) data_ = object{};
  if (auto* there = find(name)) return *there = std::move(content);
  if (as_object()->capacity() == 0) as_object()->reserve(6);  // an object rarely has only one member
  return as_object()->emplace_back(std::string(name), std::move(content)).second;
}

bool value::erase(std::string_view name) {
  auto* members = as_object();
  return members && std::erase_if(*members, [&](member const& one) { return one.first == name; }) > 0;
}

value& value::push(value item) {
  if (!is_array()) data_ = array{};
  return as_array()->emplace_back(std::move(item));
}

namespace {

/// Builds values of what simdjson has parsed.
class builder {
 public:
  explicit builder(unwanted const& unwanted) : unwanted_(unwanted) {}

  /// `name`: of the member that it is.
  value build(simdjson::dom::element element, std::string_view name = {}) const {
    using simdjson::dom::element_type;
    switch (element.type()) {
      case element_type::NULL_VALUE:
        return nullptr;
      case element_type::BOOL:
        return bool(element);
      case element_type::INT64:
        return std::int64_t(element);
      case element_type::UINT64:
        return double(std::uint64_t(element));  // only a number that exceeds 63 bits is UINT64
      case element_type::DOUBLE:
        return double(element);
      case element_type::STRING:
        return std::string_view(element);
      case element_type::ARRAY: {
        simdjson::dom::array list(element);
        array items;
        items.reserve(list.size());
        for (auto item : list) items.push_back(build(item));
        return items;
      }
      case element_type::OBJECT: {
        simdjson::dom::object fields(element);
        auto without = !name.empty() && name == unwanted_.parent ? unwanted_.name : std::string_view();
        return fields.size() <= few_members ? build_few(fields, without) : build_many(fields, without);
      }
    }
    __builtin_unreachable();
  }

 private:
  /// Looks only for names that may be duplicates.
  value build_few(simdjson::dom::object fields, std::string_view without) const {
    value members = value::make_object();
    members.as_object()->reserve(fields.size());
    std::uint64_t seen = 0;  // one bit a name, roughly
    for (auto [name, content] : fields) {
      if (!without.empty() && name == without) continue;
      auto bit =
          1ull << (name.empty()
                       ? 0
                       : (name.size() * 31 + static_cast<unsigned char>(name.front()) * 7u + static_cast<unsigned char>(name.back())) % 64);
      if (std::exchange(seen, seen | bit) & bit)
        members.set(name, build(content, name));
      else
        members.as_object()->emplace_back(std::string(name), build(content, name));
    }
    return members;
  }

  value build_many(simdjson::dom::object fields, std::string_view without) const {
    object members;
    members.reserve(fields.size());
    for (auto [name, content] : fields)
      if (without.empty() || name != without) members.emplace_back(std::string(name), build(content, name));
    drop_duplicates(members);
    return members;
  }

  unwanted const& unwanted_;
};

/// Number of members and items in the whole document.
std::size_t members_in(simdjson::dom::element element) {
  std::size_t sum = 0;
  if (element.is_array())
    for (auto item : simdjson::dom::array(element)) sum += 1 + members_in(item);
  else if (element.is_object())
    for (auto field : simdjson::dom::object(element)) sum += 1 + members_in(field.value);
  return sum;
}

/// The name that two members of one object have.
std::optional<std::string> repeated_name(simdjson::dom::element element) {
  std::optional<std::string> found;
  std::vector<std::string_view> names;
  if (element.is_array())
    for (auto item : simdjson::dom::array(element))
      if ((found = repeated_name(item))) return found;
  if (!element.is_object()) return {};
  for (auto field : simdjson::dom::object(element)) {
    if ((found = repeated_name(field.value))) return found;
    names.push_back(field.key);
  }
  std::ranges::sort(names);
  auto twice = std::ranges::adjacent_find(names);
  return twice == names.end() ? std::nullopt : std::optional(std::string(*twice));
}

/// `1,200,000`
std::string grouped(std::size_t number) {
  auto text = std::to_string(number);
  for (auto index = text.size(); index > 3;) text.insert(index -= 3, ",");
  return text;
}

std::unexpected<problem> exceeds(std::string const& what, std::size_t most) {
  return std::unexpected(problem{"", "not JSON that we read: " + what + ", at most " + grouped(most), true});
}

/// The escape sequence of a character that JSON does not allow in a string.
std::string escaped(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      return code;
  }
}

/// Replaces every byte that is not part of a character by U+FFFD.
std::string repaired(std::string_view text) {
  return json::repaired(text, [](char) { return "\xEF\xBF\xBD"; });
}

void quote(std::string& out, std::string_view text) {
  std::string better;
  if (!simdjson::validate_utf8(text.data(), text.size())) text = better = repaired(text);
  out += '"';
  auto plain = text.begin();
  auto must_be_escaped = [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; };
  for (auto special = plain; (special = std::find_if(special, text.end(), must_be_escaped)) != text.end(); plain = ++special) {
    out.append(plain, special);
    out += escaped(*special);
  }
  out.append(plain, text.end());
  out += '"';
}

/// Prints a value; `indent` < 0 is compact.
class printer {
 public:
  printer(std::string& out, bool wide) : out_(out), wide_(wide) {}

  void print(value const& v) {
    std::visit([this](auto const& one) { put(one); }, v.data());
  }

 private:
  void put(std::nullptr_t) { out_ += "null"; }
  void put(bool b) { out_ += b ? "true" : "false"; }
  void put(std::int64_t n) { out_ += std::to_string(n); }
  void put(double d) {
    if (!std::isfinite(d)) return put(nullptr);  // JSON has no NaN
    if (d == 0) return put(std::int64_t{0});     // `-0` would be read as 0, and then written differently
    char text[32];
    // Without an exponent these digits would be read as a whole number, and beyond these bounds not at all.
    bool is_beyond = std::abs(d) >= 0x1p63;
    auto end = is_beyond ? std::to_chars(std::begin(text), std::end(text), d, std::chars_format::scientific).ptr
                         : std::to_chars(std::begin(text), std::end(text), d).ptr;
    out_.append(text, end);
  }
  void put(std::string const& text) { quote(out_, text); }
  void put(array const& items) {
    list('[', ']', items, [this](value const& item) { print(item); });
  }
  void put(object const& members) {
    list('{', '}', members, [this](member const& one) {
      quote(out_, one.first);
      out_ += wide_ ? ": " : ":";
      print(one.second);
    });
  }
  void list(char open, char close, auto const& items, auto each) {
    out_ += open;
    ++depth_;
    bool first = true;
    for (auto& item : items) {
      if (!std::exchange(first, false)) out_ += ',';
      line();
      each(item);
    }
    --depth_;
    if (!items.empty()) line();
    out_ += close;
  }
  void line() {
    if (wide_) out_ += '\n', out_.append(2 * static_cast<std::size_t>(depth_), ' ');
  }

  std::string& out_;
  bool wide_;
  int depth_ = 0;
};

/// Larger documents are rare: no buffer is kept for them.
constexpr std::size_t usual = 64 << 10;

std::expected<value, problem> parse_text(std::string_view text, bounds const& most, bool strictly, unwanted const& without = {}) {
  if (text.empty()) return std::unexpected(problem{"", "not JSON: it is empty"});  // simdjson copies from its pointer, which may be null
  if (text.size() > most.bytes) return exceeds(grouped(text.size()) + " bytes", most.bytes);
  // One parser with its buffers for each thread. A long text, such as a list of snapshots, gets a temporary parser.
  thread_local simdjson::dom::parser kept;
  std::optional<simdjson::dom::parser> large;
  auto& parser = text.size() > usual ? large.emplace() : kept;
  if (parser.max_depth() != most.depth + 1 && parser.allocate(text.size(), most.depth + 1) != simdjson::SUCCESS) throw std::bad_alloc();
  simdjson::dom::element root;
  auto failed = parser.parse(text.data(), text.size()).get(root);
  if (failed == simdjson::DEPTH_ERROR) {
    auto deep = exceeds("too many levels", most.depth);
    deep.error().too_deep = true;
    return deep;
  }
  if (failed) return std::unexpected(problem{"", std::string("not JSON: ") + simdjson::error_message(failed)});
  if (text.size() / 2 > most.members)  // each has two bytes at least
    if (auto found = members_in(root); found > most.members) return exceeds(grouped(found) + " members", most.members);
  if (strictly)
    if (auto name = repeated_name(root)) return std::unexpected(problem{"", "an object has two members \"" + *name + "\"; remove one"});
  return builder(without).build(root);
}

}  // namespace

std::expected<value, problem> parse(std::string_view text, bounds const& most) { return parse_text(text, most, false); }
std::expected<value, problem> parse_strictly(std::string_view text, bounds const& most) { return parse_text(text, most, true); }
std::expected<value, problem> parse_without(std::string_view text, unwanted const& what, bounds const& most) {
  return parse_text(text, most, false, what);
}

std::string dump(value const& v) {
  // A string that grew has up to twice the needed capacity, and the result is often kept for long.
  thread_local std::string room;
  room.clear();
  printer(room, false).print(v);
  std::string out(room);
  if (room.capacity() > usual) std::string().swap(room);
  return out;
}

std::string pretty(value const& v) {
  std::string out;
  printer(out, true).print(v);
  return out;
}

}  // namespace kopiur::json
