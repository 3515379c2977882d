#include "proto/schema/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "common/config/load.hpp"
#include "common/time/instant.hpp"
#include "proto/schema/duration_bound.hpp"
#include "proto/schema/text_form.hpp"

namespace kopiur::proto::schema {
namespace {

using json::value;
using shape = node::shape;

std::string_view what_it_is(value const& v) {
  if (v.is_null()) return "null";
  if (v.as_bool()) return "a boolean";
  if (v.as_int()) return "a whole number";
  if (v.as_double()) return "a number";
  if (v.is_string()) return "text";
  return v.is_array() ? "a list" : "an object";
}

/// What a shape requires, and how a value of another type was probably meant.
struct demand {
  std::string_view must_be, hint;
};
demand demand_of(shape form) {
  switch (form) {
    case shape::Object:
    case shape::Map:
    case shape::Anything:
      return {"an object", "Write its fields below it, indented."};
    case shape::List:
      return {"a list", "Begin each item with `- `."};
    case shape::Text:
      return {"text", "Put it into quotes."};
    case shape::Integer:
      return {"a whole number", "Write it without quotes and without a fraction."};
    case shape::Number:
      return {"a number", "Write it without quotes."};
    case shape::Boolean:
      return {"true or false", "Write it without quotes."};
  }
  __builtin_unreachable();
}

bool fits(shape form, value const& v) {
  switch (form) {
    case shape::Object:
    case shape::Map:
    case shape::Anything:
      return v.is_object();
    case shape::List:
      return v.is_array();
    case shape::Text:
      return v.is_string();
    case shape::Integer:
      return v.as_int();
    case shape::Number:
      return v.as_int() || v.as_double();
    case shape::Boolean:
      return v.as_bool();
  }
  __builtin_unreachable();
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string under(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

class checker {
 public:
  checker(format_checks const& formats, std::vector<finding>& out) : formats_(formats), out_(out) {}

  void check(node const& by, value const& v, value const* old, std::string const& path) {
    if (old && *old == v) return;
    if (!fits(by.type, v)) {
      auto wanted = demand_of(by.type);
      return complain(path, fmt::format("It must be {}, but it is {}.", wanted.must_be, what_it_is(v)), std::string(wanted.hint));
    }
    auto before = out_.size();
    switch (by.type) {
      case shape::Object:
        object(by, v, old, path);
        break;
      case shape::Map:
        map(by, v, old, path);
        break;
      case shape::List:
        list(by, v, old, path);
        break;
      case shape::Text:
        text(by, *v.as_string(), path);
        break;
      case shape::Integer:
        range(by, *v.as_int(), path);
        break;
      case shape::Number:
      case shape::Boolean:
      case shape::Anything:
        break;
    }
    if (out_.size() == before && !is_enough()) rules(by, v, old, path);  // a rule may rely on the structure
  }

 private:
  bool is_enough() const { return out_.size() >= max_findings; }

  void complain(std::string path, std::string message, std::string hint) {
    if (is_enough()) return;
    out_.push_back({std::move(path), std::move(message), std::move(hint)});
  }

  void object(node const& by, value const& v, value const* old, std::string const& path) {
    for (auto& name : by.required)
      if (!v.find(name)) {
        auto* missing = by.property(name);
        complain(under(path, name), "It is missing, and has no default.", fmt::format("Add it. {}", missing ? missing->description : ""));
      }
    for (auto& [name, content] : *v.as_object()) {
      if (auto* property = by.property(name))
        check(*property, content, old ? old->find(name) : nullptr, under(path, name));
      else if (!by.open)
        unknown(by, name, path);
    }
    if (!by.one_of.empty()) choice(by, v, path);
    count(by, v.as_object()->size(), path);
  }

  void count(node const& by, std::size_t members, std::string const& path) {
    if (by.min_items && members < static_cast<std::size_t>(*by.min_items))
      complain(path, fmt::format("It has {} fields, and at least {} is needed.", members, *by.min_items), "Give one, or leave it out.");
    if (by.max_items && members > static_cast<std::size_t>(*by.max_items))
      complain(path, fmt::format("It has {} fields, and at most {} is allowed.", members, *by.max_items), "Keep one of them.");
  }

  void unknown(node const& by, std::string const& name, std::string const& path) {
    if (is_enough()) return;
    for (auto& refused : by.refused)
      if (refused.field == name) return complain(under(path, name), "There is no such field here.", std::string(refused.hint));
    std::vector<std::string_view> known;
    for (auto& [mine, _] : by.properties) known.push_back(mine);
    auto near = config::nearest(name, known);
    complain(
        under(path, name), "There is no such field here.",
        near.empty() ? fmt::format("Remove it; the fields here are {}.", fmt::join(known, ", ")) : fmt::format("Did you mean `{}`?", near));
  }

  void choice(node const& by, value const& v, std::string const& path) {
    std::vector<std::string_view> given;
    for (auto& member : by.one_of)
      if (v.find(member)) given.push_back(member);
    auto all = fmt::format("{}", fmt::join(by.one_of, ", "));
    if (given.empty()) return complain(path, fmt::format("Exactly one of {} must be given, but none is.", all), "Add one of them.");
    if (given.size() > 1)
      return complain(path, fmt::format("Exactly one of {} must be given, but {} are.", all, fmt::join(given, " and ")),
                      "Keep one of them.");
    auto* kind = v.find("kind");
    if (by.tags.empty() || !kind || !kind->as_string()) return;
    for (auto& [tag, member] : by.tags)
      if (*kind->as_string() == tag && member != given.front())
        complain(under(path, "kind"), fmt::format("It says {}, but `{}` is given.", tag, given.front()),
                 "Remove kind, or give the member that it names.");
  }

  void map(node const& by, value const& v, value const* old, std::string const& path) {
    auto& members = *v.as_object();
    if (by.max_items && members.size() > static_cast<std::size_t>(*by.max_items))
      complain(path, fmt::format("It has {} entries, and at most {} are allowed.", members.size(), *by.max_items), "Remove some.");
    if (by.item.empty()) return;
    auto before = former(old);
    for (auto& [name, content] : members) check(by.item.front(), content, there(before, name), under(path, name));
  }

  void list(node const& by, value const& v, value const* old, std::string const& path) {
    auto& items = *v.as_array();
    if (by.min_items && items.size() < static_cast<std::size_t>(*by.min_items))
      complain(path, fmt::format("It has {} items, and at least {} is needed.", items.size(), *by.min_items), "Add one.");
    if (by.max_items && items.size() > static_cast<std::size_t>(*by.max_items))
      return complain(path, fmt::format("It has {} items, and at most {} are allowed.", items.size(), *by.max_items),
                      "Split it over several objects.");
    auto before = former(old, by.map_key);
    for (std::size_t i = 0; i < items.size() && !by.item.empty(); ++i)
      check(by.item.front(), items[i], there(before, items[i].text(by.map_key)), fmt::format("{}[{}]", path, i));
    if (!by.map_key.empty()) distinct(by, items, path);
  }

  using keyed = std::unordered_map<std::string_view, value const*>;
  /// The members of a map by name, or the items of a list by their key.
  static keyed former(value const* old, std::string_view key = {}) {
    keyed out;
    if (auto* members = old ? old->as_object() : nullptr)
      for (auto& [name, content] : *members) out.emplace(name, &content);
    if (auto* items = old && !key.empty() ? old->as_array() : nullptr)
      for (auto& each : *items) out.emplace(each.text(key), &each);
    return out;
  }
  static value const* there(keyed const& in, std::string_view key) {
    auto found = in.find(key);
    return found == in.end() ? nullptr : found->second;
  }

  void distinct(node const& by, json::array const& items, std::string const& path) {
    std::unordered_set<std::string_view> seen;
    for (std::size_t i = 0; i < items.size(); ++i) {
      auto* key = items[i].find(by.map_key);
      if (key && key->as_string() && !seen.insert(*key->as_string()).second)
        complain(fmt::format("{}[{}]", path, i), fmt::format("Another item has the {} `{}` already.", by.map_key, *key->as_string()),
                 "Remove one of them.");
    }
  }

  void text(node const& by, std::string const& text, std::string const& path) {
    auto& bounds = by.bounds;
    if (!by.values.empty()) {
      if (std::ranges::find(by.values, text) != by.values.end()) return;
      std::vector<std::string_view> known(by.values.begin(), by.values.end());
      auto near = config::nearest(text, known);
      return complain(path, fmt::format("`{}` is none of {}.", text.substr(0, 64), fmt::join(by.values, ", ")),
                      near.empty() ? "Choose one of these." : fmt::format("Did you mean `{}`?", near));
    }
    auto length = characters(text);
    if (bounds.min_length && length < static_cast<std::size_t>(*bounds.min_length))
      return complain(
          path, length == 0 ? "It is empty." : fmt::format("It has {} characters, and at least {} are needed.", length, *bounds.min_length),
          by.description.empty() ? "Give it a value." : by.description);
    if (bounds.max_length && length > static_cast<std::size_t>(*bounds.max_length))
      return complain(path, fmt::format("It has {} characters, and at most {} are allowed.", length, *bounds.max_length), "Shorten it.");
    if (is_refused(bounds.format, text, path)) return;  // a parser's message is better than a pattern's
    if (!bounds.pattern.empty() && !matches(text, bounds.pattern))
      return complain(path, fmt::format("`{}` is not {}.", text.substr(0, 64), bounds.pattern_says), "Correct the text.");
    if (bounds.longest && !is_within(text, *bounds.longest))
      return complain(path, message_of_bound(*bounds.longest), std::string(hint_of_bound));
    if (by.format == "date-time" && !instant_from(text))
      return complain(path, fmt::format("`{}` is not an instant.", text.substr(0, 64)), "Write it as 2026-11-21T06:00:00Z.");
  }

  bool is_refused(std::string_view name, std::string const& text, std::string const& path) {
    auto& check = name == "cron" ? formats_.cron : formats_.timezone;
    if ((name != "cron" && name != "timezone") || !check) return false;
    auto complaint = check(text);
    if (complaint)
      complain(path, std::move(*complaint), name == "cron" ? "Correct the cron." : "Use a name of the IANA time zone database.");
    return complaint.has_value();
  }

  void range(node const& by, std::int64_t n, std::string const& path) {
    if (by.format == "int32" && !std::in_range<std::int32_t>(n))
      return complain(path, fmt::format("{} is out of range.", n), "Write a smaller number.");
    if (by.bounds.min && n < *by.bounds.min)
      complain(path, fmt::format("{} is too small: {} is the least.", n, *by.bounds.min), "Write a larger number.");
    if (by.bounds.max && n > *by.bounds.max)
      complain(path, fmt::format("{} is too large: {} is the most.", n, *by.bounds.max), "Write a smaller number.");
  }

  void rules(node const& by, value const& v, value const* old, std::string const& path) {
    for (auto& rule : by.rules)
      if (rule.holds ? !rule.holds(v) : old && rule.holds_after && !rule.holds_after(v, *old))
        complain(rule.field.empty() ? path : under(path, rule.field), std::string(rule.message), std::string(rule.hint));
  }

  format_checks const& formats_;
  std::vector<finding>& out_;
};

}  // namespace

void check(node const& by, value const& v, value const* old, format_checks const& formats, std::vector<finding>& out) {
  checker(formats, out).check(by, v, old, "");
}

}  // namespace kopiur::proto::schema
